/**
 * Carries out the steps that change or delete pods, claims, revisions and the NodeSet itself: one API call each, with
 * preconditions where something cannot be undone, and every answer folded into the caches.
 *
 * @module
 */
import { nodeSetResource } from '@slurm-operator/api'
import {
  addOwnerReference,
  buildControllerReference,
  controllerRevisionResource,
  equalJson,
  isFailure,
  isNotFound,
  KubeError,
  persistentVolumeClaimResource,
  podResource,
  removeOwnerReference,
  type ObjectKey,
} from '@slurm-operator/kube'
import { foldingWriter } from '@slurm-operator/runtime'
import { FIELD_MANAGER, type KeptPod } from '../world/trim.ts'
import type { Acting } from './acting.ts'
import { patchConditions } from './patch-conditions.ts'
import type { StepOf } from './steps.ts'

/**
 * Delete a worker pod, and only this very one. One that is not Ready may go because no job can run on it, which is true
 * only of the state in which we saw it: if it has changed since, or is gone, we are late, and the next pass decides.
 */
export async function deletePod({ pod, uid }: StepOf<'delete-pod'>, at: Acting): Promise<'done' | 'late'> {
  const key = keyIn(at, pod)
  const seen = at.observed.pods.get(pod)
  const live = at.world.caches.pods.get(key)
  if (!isReady(seen) && isReady(live)) return 'late'
  const resourceVersion = isReady(seen) ? undefined : live?.metadata.resourceVersion
  const preconditions = { uid, ...(resourceVersion !== undefined && { resourceVersion }) }
  const answer = await unlessPodIsGone(podWriter(at).delete(key, { preconditions, signal: at.signal }), key, at)
  return answer === undefined ? 'late' : 'done'
}

function isReady(pod: KeptPod | undefined): boolean {
  return pod?.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
}

/** What did not happen because the object is gone, or changed in this moment: what follows in its chain waits as well. */
type Unless = 'done' | 'outdated'

/** Become, or cease to be, the owner of a pod. */
export async function ownPod(step: StepOf<'adopt-pod' | 'release-pod'>, at: Acting): Promise<Unless> {
  const pod = at.observed.pods.get(step.pod)
  const before = pod?.metadata.ownerReferences ?? []
  const { nodeSet } = at.observed
  const ownerReferences =
    step.do === 'adopt-pod'
      ? addOwnerReference(before, buildControllerReference(nodeSet))
      : removeOwnerReference(before, nodeSet.metadata.uid)
  const body = { metadata: { uid: step.uid, ownerReferences } }
  const key = keyIn(at, step.pod)
  return outcomeOf(await unlessPodIsGone(podWriter(at).patch(key, { type: 'merge', body }, options(at)), key, at))
}

type PodPatch = Pick<StepOf<'patch-pod'>, 'pod' | 'uid' | 'labels' | 'annotations'>

/** Set or take away labels and annotations of a pod. */
export async function patchPod({ pod, uid, labels, annotations }: PodPatch, at: Acting): Promise<Unless> {
  const body = { metadata: { uid, labels, annotations } }
  const key = keyIn(at, pod)
  return outcomeOf(await unlessPodIsGone(podWriter(at).patch(key, { type: 'merge', body }, options(at)), key, at))
}

/** Write what Slurm says about a worker into the conditions of its pod. */
export async function setPodConditions(step: StepOf<'set-pod-conditions'>, at: Acting): Promise<void> {
  const { client, caches, clock } = at.world
  const live = at.observed.pods.get(step.pod)?.status.conditions ?? []
  const body = { metadata: { uid: step.uid }, status: patchConditions(live, step, clock.now()) }
  const key = keyIn(at, step.pod)
  const { status } = client.resource(podResource)
  const written = await unlessPodIsGone(status.patch(key, { type: 'strategic', body }, options(at)), key, at)
  if (written !== undefined) caches.pods.wrote(written)
}

/**
 * Say who owns a claim: that decides when it goes. Its pod must not be deleted before, or the claim stays for ever, or goes
 * although it should not: so one that somebody has just changed holds up the deletion.
 */
export async function ownClaim({ claim, ownerReferences }: StepOf<'own-pvc'>, at: Acting): Promise<Unless> {
  const { client, caches } = at.world
  const key = keyIn(at, claim)
  const live = caches.claims.get(key)
  if (live === undefined) return 'done'
  const { uid, resourceVersion, ownerReferences: owners = [] } = live.metadata
  if (!equalJson(owners as never, (at.observed.picture.claims.get(claim)?.ownerReferences ?? []) as never))
    return 'outdated'
  const writer = foldingWriter(client.resource(persistentVolumeClaimResource), caches.claims)
  const body = { metadata: { uid, resourceVersion, ownerReferences } }
  const answer = await unlessGone(writer.patch(key, { type: 'merge', body }, options(at)))
  if (answer === undefined) await caches.claims.lookUp(key, at.signal)
  return outcomeOf(answer)
}

/** Renumber, adopt or delete a revision. */
export async function changeRevision(
  step: StepOf<'renumber-revision' | 'adopt-revision' | 'delete-revision'>,
  at: Acting,
): Promise<void> {
  const { client, caches } = at.world
  const writer = foldingWriter(client.resource(controllerRevisionResource), caches.revisions)
  const key = keyIn(at, step.name)
  switch (step.do) {
    case 'renumber-revision':
      await writer.patch(key, { type: 'merge', body: { revision: step.number } }, options(at))
      return
    case 'adopt-revision': {
      const ownerReferences = [buildControllerReference(at.observed.nodeSet)]
      await unlessGone(writer.patch(key, { type: 'merge', body: { metadata: { ownerReferences } } }, options(at)))
      return
    }
    case 'delete-revision':
      await unlessGone(writer.delete(key, { signal: at.signal }))
  }
}

/**
 * Add or remove a finalizer of the NodeSet as the cache knows it by now: in this pass others may have changed theirs. If
 * they have and we do not know yet, the next pass tries again.
 */
export async function changeFinalizer(
  { do: what, finalizer }: StepOf<'add-finalizer' | 'remove-finalizer'>,
  at: Acting,
): Promise<Unless> {
  const { client, caches } = at.world
  const { metadata } = caches.nodeSets.get(at.observed.nodeSet.metadata) ?? at.observed.nodeSet
  const { uid, resourceVersion } = metadata
  const others = (metadata.finalizers ?? []).filter((one) => one !== finalizer)
  const finalizers = what === 'add-finalizer' ? [...others, finalizer] : others
  if (uid !== at.observed.nodeSet.metadata.uid) return 'outdated'
  const body = { metadata: { uid, resourceVersion, finalizers } }
  const writer = foldingWriter(client.resource(nodeSetResource), caches.nodeSets)
  return outcomeOf(await unlessGone(writer.patch(keyIn(at, metadata.name), { type: 'merge', body }, options(at))))
}

function outcomeOf(answer: unknown): Unless {
  return answer === undefined ? 'outdated' : 'done'
}

function podWriter({ world }: Acting) {
  return foldingWriter(world.client.resource(podResource), world.caches.pods)
}

function keyIn({ observed }: Acting, name: string): ObjectKey {
  return { namespace: observed.nodeSet.metadata.namespace, name }
}

function options({ signal }: Acting) {
  return { fieldManager: FIELD_MANAGER, signal }
}

/** The news that a pod is gone, or another one, may be late, and until then each pass would call again: so it is looked up. */
async function unlessPodIsGone<T>(call: Promise<T>, key: ObjectKey, { world, signal }: Acting): Promise<T | undefined> {
  const answer = await unlessGone(call)
  if (answer === undefined) await world.caches.pods.lookUp(key, signal)
  return answer
}

/** What is gone needs nothing any more; another one of its name is not meant. */
async function unlessGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    // A patch that names a uid is invalid for another object of the same name.
    if (isNotFound(error) || isFailure(error, 'Conflict') || isAboutUid(error)) return undefined
    throw error
  }
}

function isAboutUid(error: unknown): boolean {
  return error instanceof KubeError && error.causes.some(({ field }) => field === 'metadata.uid')
}
