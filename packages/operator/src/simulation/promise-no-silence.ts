import { nodeSetResource, withNodeSetDefaults, type NodeSet } from '@slurm-operator/api'
import { nodeResource, type Live, type Pod } from '@slurm-operator/kube'
import type { Witness } from './witness.ts'
import { livingPods, readyForMs } from './worker-pods.ts'

/** So long may a status be behind: news may be late, and writes may fail for a while. */
const PATIENCE_MS = 240_000

/** Whoever is not as wanted says so, and what it waits for. */
export function promiseNoSilence({ cluster, accuse }: Witness) {
  const since = new Map<string, { readonly what: string; readonly atMs: number; told: boolean }>()
  return {
    look: () => {
      const nowMs = cluster.world.clock.monotonic()
      const isAlive = cluster.operator().process.state() === 'running'
      for (const nodeSet of cluster.server.all(nodeSetResource)) {
        const { uid, name } = nodeSet.metadata
        const what = isAlive ? whatIsUnsaid(cluster, nodeSet) : undefined
        const known = since.get(uid)
        if (what === undefined) since.delete(uid)
        else if (known?.what !== what) since.set(uid, { what, atMs: nowMs, told: false })
        else if (nowMs - known.atMs > PATIENCE_MS && !known.told) {
          known.told = true
          accuse(`NodeSet ${name} is silent for ${Math.round((nowMs - known.atMs) / 1000)} s: ${what}`)
        }
      }
    },
  }
}

/** What its status hides; undefined: nothing. */
function whatIsUnsaid(cluster: Witness['cluster'], nodeSet: Live<NodeSet>): string | undefined {
  const { conditions = [] } = nodeSet.status ?? {}
  const find = (type: string) => conditions.find((one) => one.type === type)
  const ready = find('Ready')
  const difference = whatDiffers(cluster, nodeSet)
  if (ready === undefined) return 'it has no status'
  if (ready.observedGeneration !== nodeSet.metadata.generation) return 'its status is about another generation'
  if (ready.status === 'True') return difference === undefined ? undefined : `it says Ready, but ${difference}`
  const isTold =
    (ready.message ?? '') !== '' && [find('Reconciling'), find('Stalled')].some((one) => one?.status === 'True')
  return isTold ? undefined : 'it is not Ready and does not say why'
}

function whatDiffers(cluster: Witness['cluster'], nodeSet: Live<NodeSet>): string | undefined {
  const { spec, metadata } = withNodeSetDefaults(nodeSet)
  if (metadata.deletionTimestamp !== undefined) return 'it is being deleted'
  const living = livingPods(cluster, metadata.name)
  const ready = living.filter((pod) => readyForMs(pod, cluster.world.clock.now()) !== undefined)
  if (spec.scalingMode === 'DaemonSet') return whichNodeLacks(cluster, metadata.name, ready)
  if (ready.length < spec.replicas) return `${ready.length} of ${spec.replicas} workers are ready`
  return living.length > spec.replicas ? `there are ${living.length} workers instead of ${spec.replicas}` : undefined
}

/** The Kube nodes of its pool, but for those where nothing can start now. */
function whichNodeLacks({ server }: Witness['cluster'], pool: string, ready: readonly Live<Pod>[]): string | undefined {
  const served = new Set(ready.map(({ spec }) => spec?.nodeName))
  const lacking = server
    .all(nodeResource)
    .find(
      ({ metadata, spec = {} }) =>
        metadata.labels?.['pool'] === pool && (spec.taints ?? []).length === 0 && !served.has(metadata.name),
    )
  return lacking && `Kube node ${lacking.metadata.name} has no ready worker`
}
