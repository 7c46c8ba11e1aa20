import { annotationKeys, DRAIN_FINALIZER, nodeSetResource, YES } from '@slurm-operator/api'
import { findControllingOwner } from '@slurm-operator/kube'
import { LATE_MS } from './recent.ts'
import type { Witness } from './witness.ts'

/**
 * Whoever asks for `drain-on-delete`, and deletes the NodeSet when the operator can have heard of it, loses no job by that:
 * what the garbage collector takes after the end of the NodeSet runs nothing. The operator's own deletions are in
 * `promiseJobs`.
 */
export function promiseDrainedFirst(witness: Witness) {
  const { cluster, accuse } = witness
  const { server, machines, world } = cluster
  const wishes = followWishes(witness)
  /** The pods that the garbage collector took, by their uids, and when. */
  const collected = new Map<string, number>()
  let seen = 0
  server.listen(({ storage, type, object, before }) => {
    if (storage !== '/pods' || before?.metadata.deletionTimestamp !== undefined) return
    const isLeaving = type === 'DELETED' || object.metadata.deletionTimestamp !== undefined
    const owner = findControllingOwner(object)?.uid ?? ''
    if (isLeaving && wishes.isGone(owner)) collected.set(object.metadata.uid, world.clock.now())
  })
  return {
    look: () => {
      wishes.look()
      for (const { pod = '', id, node, atMs } of machines.lostJobs.slice(seen)) {
        if (atMs >= (collected.get(pod) ?? Infinity))
          accuse(`job ${id} on ${node} was ended with its NodeSet, which should have drained its workers first`)
      }
      seen = machines.lostJobs.length
    },
  }
}

interface Wishes {
  /** Whether this NodeSet is gone, and had to drain its workers first. */
  readonly isGone: (uid: string) => boolean
  /** Not everything that matters here is a change of a NodeSet. */
  readonly look: () => void
}

/**
 * The operator has heard of a wish when its finalizer is there, unless it may still believe in an earlier one, or when it
 * has run for long enough since. Who takes the annotation away while the NodeSet is being deleted has given up waiting.
 */
function followWishes({ cluster, way }: Witness): Wishes {
  const { server, world } = cluster
  const askedSinceMs = new Map<string, number>()
  /** Those that have not always asked for it. */
  const wavered = new Set<string>()
  const runsSinceMs = followOperator(cluster)
  /** Those that are being deleted, or are gone. */
  const promised = new Set<string>()
  const gone = new Set<string>()
  const note = ({ uid, annotations }: NodeSetMeta): void => {
    if (annotations?.[annotationKeys.drainOnDelete] === YES) {
      askedSinceMs.set(uid, askedSinceMs.get(uid) ?? world.clock.monotonic())
      return
    }
    wavered.add(uid)
    askedSinceMs.delete(uid)
    promised.delete(uid)
  }
  const isLongAgo = (sinceMs: number): boolean => world.clock.monotonic() - sinceMs > LATE_MS[way]
  const isHeard = ({ uid, finalizers = [] }: NodeSetMeta): boolean => {
    const isOld = isLongAgo(askedSinceMs.get(uid) ?? Infinity)
    return finalizers.includes(DRAIN_FINALIZER) ? isOld || !wavered.has(uid) : isOld && isLongAgo(runsSinceMs())
  }
  for (const { metadata } of server.all(nodeSetResource)) note(metadata)
  server.listen(({ storage, type, object: { metadata }, before }) => {
    if (!storage.endsWith('/nodesets')) return
    note(metadata)
    const isGone = type === 'DELETED'
    const isNews = before?.metadata.deletionTimestamp === undefined
    if (isNews && (isGone || metadata.deletionTimestamp !== undefined) && isHeard(metadata)) promised.add(metadata.uid)
    if (isGone && promised.has(metadata.uid)) gone.add(metadata.uid)
  })
  return { look: () => void runsSinceMs(), isGone: (uid) => gone.has(uid) }
}

interface NodeSetMeta {
  readonly uid: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
}

/** Since when the present operator has been seen to run; to be asked again and again. */
function followOperator({ operator, world }: Witness['cluster']): () => number {
  let seen = { process: operator().process, sinceMs: world.clock.monotonic() }
  return () => {
    const { process } = operator()
    if (process !== seen.process || process.state() !== 'running') seen = { process, sinceMs: world.clock.monotonic() }
    return seen.sinceMs
  }
}
