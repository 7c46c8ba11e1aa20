import { nodeSetResource, withNodeSetDefaults, type NodeSet } from '@slurm-operator/api'
import type { Live, Pod } from '@slurm-operator/kube'
import { accuseLasting } from './lasting-wrongs.ts'
import type { Witness } from './witness.ts'
import { livingPods, readyForMs, soundNodes } from './worker-pods.ts'

/** So long may a status be behind: news may be late, and writes may fail for a while. */
const PATIENCE_MS = { troubled: 240_000, sound: 45_000 }

/** Whoever is not as wanted says so, and what it waits for. */
export function promiseNoSilence(witness: Witness) {
  const { cluster, way } = witness
  const follow = accuseLasting(witness, PATIENCE_MS[way])
  return {
    look: () => {
      const isAlive = cluster.operator().process.state() === 'running'
      const nodeSets = isAlive ? cluster.server.all(nodeSetResource) : []
      follow(new Map(nodeSets.flatMap((nodeSet) => findUnsaid(cluster, nodeSet))))
    },
  }
}

function findUnsaid(cluster: Witness['cluster'], nodeSet: Live<NodeSet>): [string, string][] {
  const { uid, name } = nodeSet.metadata
  const what = whatIsUnsaid(cluster, nodeSet)
  return what === undefined ? [] : [[`${uid} ${what}`, `NodeSet ${name} is silent: ${what}`]]
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

function whichNodeLacks(cluster: Witness['cluster'], pool: string, ready: readonly Live<Pod>[]): string | undefined {
  const served = new Set(ready.map(({ spec }) => spec?.nodeName))
  const lacking = soundNodes(cluster, pool).find(({ metadata }) => !served.has(metadata.name))
  return lacking && `Kube node ${lacking.metadata.name} has no ready worker`
}
