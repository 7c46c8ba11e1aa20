import { createClientOn, podResource, type Affinity, type Client, type Live, type Pod } from '@slurm-operator/kube'
import { createApiServer, type SimulatedApiServer } from '../api-server/api-server.ts'
import { createVirtualClock, type VirtualClock } from '../clock/virtual-clock.ts'
import { createRandomSource } from '../random/random-source.ts'
import { createSimulatedSlurm, type SimulatedSlurm } from '../slurm/simulated-slurm.ts'
import { createMachines, type SimulatedMachines } from './kubelet.ts'

/** Machines with everything around them. */
export interface MachineRoom {
  readonly clock: VirtualClock
  readonly server: SimulatedApiServer
  readonly slurm: SimulatedSlurm
  readonly machines: SimulatedMachines
  readonly client: Client
  readonly find: (name: string) => Live<Pod> | undefined
}

/** One of each, and so many Kube nodes: node-0, node-1 … */
export async function buildMachineRoom(nodes: number): Promise<MachineRoom> {
  const clock = createVirtualClock()
  const random = createRandomSource('machines')
  const server = await createApiServer({ clock, random: random.stream('server') })
  const slurm = createSimulatedSlurm({ clock })
  const machines = createMachines({ server, slurm, clock, random: random.stream('machines') })
  for (let number = 0; number < nodes; number++) await machines.addNode(`node-${number}`, { disk: `d${number}` })
  const client = createClientOn(server.transport, { clock })
  const find = (name: string) => server.find(podResource, { namespace: 'default', name })
  return { clock, server, slurm, machines, client, find }
}

/** As the entry point of the image gets it: a shell puts the topology in. */
const TOPOLOGY = `'"\${SLINKY_TOPOLOGY:+ Topology=\${SLINKY_TOPOLOGY}}"'`

/** A worker pod. */
export function workerPod(name: string, spec: Partial<NonNullable<Pod['spec']>> = {}): Pod {
  const args = ['-Z', '--conf', `'Features=gpu${TOPOLOGY}'`]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', labels: { app: 'slurmd' } },
    spec: { hostname: name, containers: [{ name: 'slurmd', image: 'slurmd', args }], ...spec },
  }
}

/** Two of them never share a Kube node. */
export const apart: Affinity = {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'slurmd' } } },
    ],
  },
}

/** Is it Ready? */
export function isReady(pod: Pod | undefined): boolean {
  return pod?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
}
