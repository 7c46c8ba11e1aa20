/**
 * Simulated kubelets and a simulated Slurm, in a process of their own, so that only the operator's work is measured.
 *
 * @module
 */
import { createClient, loadSettings } from '@slurm-operator/kube'
import { systemClock } from '@slurm-operator/slurm'
import { createSimulatedSlurm } from '@slurm-operator/testkit'
import { startMachines, type Machines } from '../../packages/operator/src/nodeset/gen-machines.ts'
import { serve } from '../kube/serve.ts'
import type { MachinesAnswers, MachinesOrder } from './orders.ts'

const DAY_SECONDS = 24 * 3600

const slurm = createSimulatedSlurm({ clock: systemClock, latencyMs: 0, pace: { slurmdTimeoutMs: 300_000 } })
let machines: Machines | undefined
let counted = 0
let cpu = process.cpuUsage()

serve<MachinesOrder, MachinesAnswers>({ start, count })

async function start({ kubeconfig, nodes }: MachinesOrder & { do: 'start' }): Promise<MachinesAnswers['start']> {
  const client = createClient(await loadSettings({ kubeconfig }), { userAgent: 'machines' })
  machines = await startMachines({ client, slurm, nodes })
  const { url } = await slurm.listen()
  const signingKey = Buffer.from(slurm.signingKey).toString('base64')
  return { url, token: slurm.token('slurm', DAY_SECONDS), signingKey }
}

async function count(): Promise<MachinesAnswers['count']> {
  const lines = slurm.requests.slice(counted).map(({ line }) => kindOf(line))
  counted += lines.length
  const { user, system } = process.cpuUsage(cpu)
  cpu = process.cpuUsage()
  const counts = Object.entries(Object.groupBy(lines, (line) => line))
  return {
    slurm: Object.fromEntries(counts.map(([line, all = []]) => [line, all.length])),
    lostJobs: machines?.lostJobs.length ?? 0,
    cpuSeconds: (user + system) / 1e6,
  }
}

/** `POST /node/worker-7` is one of many. */
function kindOf(line: string): string {
  return line.replace(/^(\w+ \/\w+\/).+$/, '$1*')
}
