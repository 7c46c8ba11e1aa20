import { labelKeys, type NodeSetWithDefaults } from '@slurm-operator/api'
import { nodeResource, podResource, resolveIntOrPercent, type Live, type Node, type Pod } from '@slurm-operator/kube'
import { NAMESPACE } from './objects.ts'
import type { Witness } from './witness.ts'
import { livingPods, nodeSetOf, podInPath, readyForMs } from './worker-pods.ts'

/** A deletion and the news that a Kube node can have a worker again may cross: a pass is not longer. */
const CROSSING_MS = 2_000

/**
 * Never more workers taken out of service by us than `maxUnavailable`. Counted are places from which the operator took an
 * available pod that was not too many, until an available pod is there again. What others break counts as theirs.
 */
export function promiseBudget(witness: Witness): void {
  const { cluster, accuse } = witness
  const taken = new Map<string, Map<string, string>>()
  const isRefused = followRefusals(cluster)
  const isBroken = followBroken(cluster)
  cluster.listen({
    before: ({ method, path }) => {
      const name = method === 'DELETE' ? podInPath(path) : undefined
      const pod = name === undefined ? undefined : cluster.server.find(podResource, { namespace: NAMESPACE, name })
      if (pod === undefined || isRefused(pod) || !takesFromService(witness, pod)) return undefined
      return (status) => {
        if (status >= 300) return
        const nodeSet = nodeSetOf(pod)
        const places = taken.get(nodeSet) ?? new Map<string, string>()
        taken.set(nodeSet, places.set(placeOf(pod), pod.metadata.uid))
        const why = whyTooMany(witness, nodeSet, places, isBroken)
        if (why !== undefined) accuse(`pod ${name ?? ''} was taken out of service: ${why}`)
      }
    },
  })
}

/** The Kube node, or the number: however many digits it is written with. */
function placeOf({ metadata, spec }: Live<Pod>): string {
  if (metadata.labels?.[labelKeys.scalingMode] === 'DaemonSet') return spec?.nodeName ?? ''
  return String(Number(/\d+$/.exec(metadata.name)?.[0] ?? -1))
}

/** Whether a deletion takes a pod away that works and is wanted. */
function takesFromService({ cluster, recent }: Witness, pod: Live<Pod>): boolean {
  const { metadata, spec } = pod
  const versions = recent.of(nodeSetOf(pod))
  const patienceMs = Math.max(...versions.map((one) => (one?.spec.minReadySeconds ?? 0) * 1000))
  const isAvailable = (readyForMs(pod, cluster.world.clock.now()) ?? -1) >= patienceMs
  if (metadata.deletionTimestamp !== undefined || !isAvailable) return false
  const mode = metadata.labels?.[labelKeys.scalingMode]
  if (versions.some((one) => isGoing(one) || one?.spec.scalingMode !== mode)) return false
  if (mode === 'DaemonSet') return isQuiet(cluster.server.find(nodeResource, { name: spec?.nodeName ?? '' }))
  const fewest = Math.min(...versions.map((one) => one?.spec.replicas ?? 0))
  return livingPods(cluster, nodeSetOf(pod)).length <= fewest
}

/** Its workers are drained and go with it, as many at a time as have no job. */
function isGoing(nodeSet: NodeSetWithDefaults | undefined): boolean {
  return nodeSet === undefined || nodeSet.metadata.deletionTimestamp !== undefined
}

/** Workers that Slurm refuses get no job before they are replaced: to do so takes nothing away. Their record goes first. */
function followRefusals({ slurm }: Witness['cluster']): (pod: Live<Pod>) => boolean {
  const refused = new Map<string, boolean>()
  slurm.onChange((kind, name) => {
    const record = kind === 'nodes' ? slurm.truth.node(name)?.record : undefined
    if (record !== undefined) refused.set(name, record.flags.has('INVALID_REG'))
  })
  return ({ spec }) => refused.get(spec?.hostname ?? '') === true
}

function isQuiet(node: { readonly spec?: { readonly taints?: readonly unknown[] } } | undefined): boolean {
  return node !== undefined && (node.spec?.taints ?? []).length === 0
}

function whyTooMany(
  { cluster, recent }: Witness,
  nodeSet: string,
  places: Map<string, string>,
  isBroken: (place: string) => boolean,
): string | undefined {
  const { clock } = cluster.world
  const versions = recent.of(nodeSet).filter((one) => one !== undefined)
  const patienceMs = Math.min(...versions.map((one) => (one.spec.minReadySeconds ?? 0) * 1000))
  const available = livingPods(cluster, nodeSet).filter((pod) => (readyForMs(pod, clock.now()) ?? -1) >= patienceMs)
  for (const pod of available) if (places.get(placeOf(pod)) !== pod.metadata.uid) places.delete(placeOf(pod))
  const lacking = Math.min(...versions.map((one) => lackingIn(one, available.length)))
  if (places.size > lacking) places.clear() // others took their place, under other numbers
  const most = Math.max(...versions.map((one) => limitOf(one, cluster)))
  const isDaemonSet = versions.every(({ spec }) => spec.scalingMode === 'DaemonSet')
  const ours = [...places.keys()].filter((place) => isNumber(place) !== isDaemonSet && !isBroken(place))
  return ours.length > most ? `${ours.length} are out of service (${ours.join(', ')}), ${most} may be` : undefined
}

/**
 * A Kube node that lost its power, was tainted, cordoned or removed since has no worker, whatever we did before; nor in the
 * moment in which it can have one again.
 */
function followBroken({ server, world }: Witness['cluster']): (place: string) => boolean {
  const mendedAtMs = new Map<string, number>()
  const now = world.clock.monotonic
  server.listen(({ storage, object, before }) => {
    if (storage !== '/nodes' || before === undefined) return
    if (!isQuiet(before as unknown as Node)) mendedAtMs.set(object.metadata.name, now())
  })
  const isMended = (place: string): boolean => now() - (mendedAtMs.get(place) ?? -Infinity) < CROSSING_MS
  return (place) => !isNumber(place) && (!isQuiet(server.find(nodeResource, { name: place })) || isMended(place))
}

/** The places of workers with numbers do not exist any more when every Kube node has one. */
function isNumber(place: string): boolean {
  return /^-?\d+$/.test(place)
}

function lackingIn({ spec }: NodeSetWithDefaults, available: number): number {
  return spec.scalingMode === 'DaemonSet' ? Infinity : Math.max(0, spec.replicas - available)
}

function limitOf({ spec }: NodeSetWithDefaults, { server }: Witness['cluster']): number {
  if (spec.updateStrategy.type !== 'RollingUpdate') return Infinity
  const workers = spec.scalingMode === 'DaemonSet' ? server.all(nodeResource).length : spec.replicas
  return Math.max(1, resolveIntOrPercent(spec.updateStrategy.rollingUpdate?.maxUnavailable ?? '25%', workers, 'up'))
}
