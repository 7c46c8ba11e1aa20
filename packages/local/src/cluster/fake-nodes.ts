import { join } from 'node:path'
import { ensureArtefact } from '../cache/cache.ts'
import { untilTrue } from '../machine/until.ts'
import { kwok } from '../programs/addons.ts'
import type { Progress } from '../progress/progress.ts'
import type { Run } from '../runs/run.ts'
import type { Kubectl } from './kubectl.ts'

const LABEL = 'slurm-operator.local/fake-node'

/** Fake nodes carry this taint, so that only pods which ask for them land there. */
export const fakeNodeTaint = { key: LABEL, value: 'true', effect: 'NoSchedule' } as const

/** The label that selects them. */
export const fakeNodeSelector = { [LABEL]: 'true' } as const

/** Create nodes that exist only in the API; kwok keeps them Ready and pretends that their pods run. */
export async function startFakeNodes(
  run: Run,
  kubectl: Kubectl,
  kubeconfig: string,
  count: number,
  progress: Progress,
): Promise<void> {
  const folder = await ensureArtefact(kwok, progress)
  const command = [
    join(folder, 'kwok'),
    `--kubeconfig=${kubeconfig}`,
    `--config=${join(folder, 'stages.yaml')}`,
    '--manage-all-nodes=false',
    '--manage-nodes-with-annotation-selector=kwok.x-k8s.io/node=fake',
    '--node-lease-duration-seconds=40',
    '--cidr=10.250.0.0/16',
  ]
  await run.start({ name: 'kwok', command, logFile: join(run.folder, 'kwok.log') }, 'kill')
  const nodes = Array.from({ length: count }, (_, index) => fakeNode(`fake-${index + 1}`))
  await kubectl(['create', '-f', '-'], {
    input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: nodes }),
    timeoutMs: 300_000,
  })
  await untilTrue(`${count} fake nodes to be Ready`, async () => (await countReady(kubectl)) >= count, {
    timeoutMs: 300_000,
    everyMs: 1_000,
  })
}

async function countReady(kubectl: Kubectl): Promise<number> {
  const text = await kubectl(['get', 'nodes', '-l', LABEL, '--no-headers'])
  return text.split('\n').filter((line) => / Ready /.test(line)).length
}

function fakeNode(name: string): object {
  const amount = { cpu: '64', memory: '256Gi', pods: '110' }
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { ...fakeNodeSelector, 'kubernetes.io/hostname': name },
      annotations: { 'kwok.x-k8s.io/node': 'fake' },
    },
    spec: { taints: [fakeNodeTaint] },
    status: { capacity: amount, allocatable: amount },
  }
}
