import type { KubeObject, Live, Writer } from '@slurm-operator/kube'
import type { Cached } from './cached.ts'

/** What of a cache the writes of a loop go through. */
export interface FoldsIn<Raw> {
  wrote(raw: Raw): void
  deleted(key: { readonly namespace?: string | undefined; readonly name: string }, uid: string): void
}

/**
 * The same writer, and every answer goes into the cache before the caller sees it. A dry run changes nothing and is not
 * folded in; a write without an answer is not either: whether it happened only the watch can tell.
 */
export function foldingWriter<T extends KubeObject>(writer: Writer<T>, cache: FoldsIn<Live<T> & Cached>): Writer<T> {
  const fold = (isDryRun: boolean | undefined) => (answer: Live<T>) => {
    if (isDryRun === true) return answer
    if (hasEnded(answer)) cache.deleted(answer.metadata, answer.metadata.uid)
    else cache.wrote(answer)
    return answer
  }
  return {
    create: (object, options) => writer.create(object, options).then(fold(options?.dryRun)),
    update: (object, options) => writer.update(object, options).then(fold(options?.dryRun)),
    patch: (key, patch, options) => writer.patch(key, patch, options).then(fold(options?.dryRun)),
    apply: (object, options) => writer.apply(object, options).then(fold(options.dryRun)),
    delete: async (key, options) => {
      const deletion = await writer.delete(key, options)
      if (options?.dryRun === true) return deletion
      const isLeaving = deletion.kind === 'accepted' && isStillThere(deletion.object)
      if (isLeaving) cache.wrote(deletion.object)
      const uid = deletion.kind === 'accepted' ? deletion.object.metadata.uid : deletion.uid
      if (!isLeaving && uid !== undefined) cache.deleted(key, uid)
      return deletion
    },
    deleteMany: writer.deleteMany,
  }
}

/** Some kinds are answered with the object as it was, although it is gone: only one that is being deleted is there. */
function isStillThere(object: KubeObject): boolean {
  return object.metadata.deletionTimestamp !== undefined && !hasEnded(object)
}

/**
 * Nothing holds it and it needs no time: the answer to the deletion of such an object, or to taking away its last
 * finalizer, shows it once more, though it is gone.
 */
function hasEnded({ metadata }: KubeObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers = [] } = metadata
  return deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0
}
