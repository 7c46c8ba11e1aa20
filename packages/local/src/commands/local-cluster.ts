/**
 * The one cluster that a person uses by hand: started by `npm start` or `npm run local -- up`, found again by its name,
 * running until it is stopped.
 *
 * @module
 */
import { join } from 'node:path'
import { ensureArtefact } from '../cache/cache.ts'
import { kubectlFor, type Kubectl } from '../cluster/kubectl.ts'
import type { BoxPlace } from '../box/box.ts'
import { importImages } from '../cluster/node.ts'
import { startCluster } from '../cluster/start-cluster.ts'
import { kube } from '../programs/kubernetes.ts'
import type { Progress } from '../progress/progress.ts'
import { endRun } from '../runs/clean-up.ts'
import { findRecord } from '../runs/run-record.ts'

const CLUSTER_ID = 'local'

/** How to talk to it. */
export interface LocalCluster {
  readonly kubeconfig: string
  readonly nodes: readonly string[]
  readonly kubectl: Kubectl
  readonly kubectlProgram: string
  /** Give all nodes the images of an archive in OCI layout. */
  readonly importImages: (archive: string) => Promise<void>
}

/** The value of `--nodes`. */
export function readNodeCount(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= 9) return count
  throw new Error(`Cannot start ${text} nodes: --nodes takes a whole number from 1 to 9`)
}

/** The running cluster, started if there is none. A broken or half-started one is removed first. */
export async function ensureLocalCluster(nodes: number, progress: Progress): Promise<LocalCluster> {
  const running = await findLocalCluster(progress)
  if (running !== undefined) {
    progress.say(`the cluster is running already, on ${running.nodes.join(', ')}`)
    return running
  }
  await stopLocalCluster()
  const forgetOnSignal = stopOnSignal(progress)
  await startCluster({ nodes, lifetime: 'detached', id: CLUSTER_ID, progress })
  forgetOnSignal()
  const started = await findLocalCluster(progress)
  if (started === undefined)
    throw new Error('Cannot reach the cluster that was just started. Look at its logs: npm run local -- status')
  return started
}

/** The running cluster, if it answers. */
export async function findLocalCluster(progress: Progress): Promise<LocalCluster | undefined> {
  const { kubeconfig, nodes, state, boxes = '[]' } = findRecord(CLUSTER_ID)?.facts ?? {}
  if (kubeconfig === undefined || nodes === undefined || state !== 'ready') return undefined
  const kubectlProgram = join(await ensureArtefact(kube, progress), 'kubectl')
  const kubectl = kubectlFor(kubectlProgram, kubeconfig)
  const answer = await kubectl(['get', '--raw', '/readyz'], { timeoutMs: 10_000 }).catch(() => undefined)
  if (answer !== 'ok') return undefined
  const importInto = (archive: string) => importEverywhere(JSON.parse(boxes) as BoxPlace[], archive)
  return { kubeconfig, nodes: nodes.split(' '), kubectl, kubectlProgram, importImages: importInto }
}

async function importEverywhere(boxes: readonly BoxPlace[], archive: string): Promise<void> {
  for (const box of boxes) await importImages(box, archive)
}

/** Stop it and remove everything of it; fine when there is none. */
export async function stopLocalCluster(): Promise<void> {
  await endRun({ id: CLUSTER_ID })
}

/** One Ctrl-C may reach us twice: from the terminal, and from the program that started us. */
const SAME_SIGNAL_MS = 1_000

// A start that is interrupted leaves nothing half-started behind. Who cannot wait interrupts it again; then the next one does it.
function stopOnSignal(progress: Progress): () => void {
  let sinceMs: number | undefined
  const onSignal = (name: NodeJS.Signals) => {
    if (sinceMs !== undefined && performance.now() - sinceMs > SAME_SIGNAL_MS) process.exit(130)
    if (sinceMs !== undefined) return
    sinceMs = performance.now()
    progress.say(`${name}: stopping what was started so far`)
    void stopLocalCluster().finally(() => process.exit(130))
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const name of signals) process.on(name, onSignal)
  return () => signals.forEach((name) => process.off(name, onSignal))
}
