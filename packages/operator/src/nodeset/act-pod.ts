/**
 * Carries out the steps about pods, claims, revisions and the NodeSet itself: one API call each, with preconditions where
 * something cannot be undone, and every answer folded into the caches.
 *
 * @module
 */
import { nodeSetResource, selectorLabels } from '@slurm-operator/api'
import {
  addOwnerReference,
  buildControllerReference,
  controllerRevisionResource,
  isFailure,
  isNotFound,
  KubeError,
  persistentVolumeClaimResource,
  podResource,
  removeOwnerReference,
  type ControllerRevision,
  type JsonValue,
  type ObjectKey,
} from '@slurm-operator/kube'
import { foldingWriter } from '@slurm-operator/runtime'
import { inheritEntries } from '../workload/inherited-metadata.ts'
import { FIELD_MANAGER, type KeptPod } from '../world/trim.ts'
import { buildClaim } from './build-claim.ts'
import { buildWorkerPod } from './build-worker-pod.ts'
import type { Acting } from './acting.ts'
import { patchConditions } from './patch-conditions.ts'
import { REVISION_HASH_LABEL } from './picture-keys.ts'
import type { ClaimWish, Step } from './steps.ts'

type StepOf<What extends Step['do']> = Extract<Step, { readonly do: What }>

const withManager = { fieldManager: FIELD_MANAGER }

/** Make a worker: its claims first, then the pod. */
export async function createPod({ worker }: StepOf<'create-pod'>, at: Acting): Promise<void> {
  const { nodeSet, template } = at.observed
  if (template === undefined) throw new Error('Cannot make a worker pod: there is no template.')
  for (const claim of worker.claims) if (!claim.exists) await createClaim(claim, at)
  await podWriter(at).create(buildWorkerPod(nodeSet, template, worker), { ...withManager, signal: at.signal })
}

/** Make a claim; one of that name that somebody made in this moment will do. */
export async function createClaim(claim: ClaimWish, at: Acting): Promise<void> {
  const { client, caches } = at.world
  const writer = foldingWriter(client.resource(persistentVolumeClaimResource), caches.claims)
  try {
    await writer.create(buildClaim(at.observed.nodeSet, claim), { ...withManager, signal: at.signal })
  } catch (error) {
    if (!isFailure(error, 'AlreadyExists')) throw error
  }
}

/**
 * Delete a worker pod, and only this very one. One that is not Ready may go because no job can run on it, which is true
 * only of the state in which we saw it: if it has changed since, the next pass decides.
 */
export async function deletePod({ pod, uid }: StepOf<'delete-pod'>, at: Acting): Promise<void> {
  const key = keyIn(at, pod)
  const seen = at.observed.pods.get(pod)
  const live = at.world.caches.pods.get(key)
  if (!isReady(seen) && isReady(live)) return
  const resourceVersion = isReady(seen) ? undefined : live?.metadata.resourceVersion
  const preconditions = { uid, ...(resourceVersion !== undefined && { resourceVersion }) }
  await unlessGone(podWriter(at).delete(key, { preconditions, signal: at.signal }))
}

function isReady(pod: KeptPod | undefined): boolean {
  return pod?.status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
}

/** Become, or cease to be, the owner of a pod. */
export async function ownPod(step: StepOf<'adopt-pod' | 'release-pod'>, at: Acting): Promise<void> {
  const pod = at.observed.pods.get(step.pod)
  const before = pod?.metadata.ownerReferences ?? []
  const { nodeSet } = at.observed
  const ownerReferences =
    step.do === 'adopt-pod'
      ? addOwnerReference(before, buildControllerReference(nodeSet))
      : removeOwnerReference(before, nodeSet.metadata.uid)
  const body = { metadata: { uid: step.uid, ownerReferences } }
  await unlessGone(podWriter(at).patch(keyIn(at, step.pod), { type: 'merge', body }, options(at)))
}

/** Set or take away labels and annotations of a pod. */
export async function patchPod({ pod, uid, labels, annotations }: StepOf<'patch-pod'>, at: Acting): Promise<void> {
  const body = { metadata: { uid, labels, annotations } }
  await unlessGone(podWriter(at).patch(keyIn(at, pod), { type: 'merge', body }, options(at)))
}

/** Write what Slurm says about a worker into the conditions of its pod. */
export async function setPodConditions(step: StepOf<'set-pod-conditions'>, at: Acting): Promise<void> {
  const { client, caches, clock } = at.world
  const live = at.observed.pods.get(step.pod)?.status.conditions ?? []
  const body = { metadata: { uid: step.uid }, status: patchConditions(live, step, clock.now()) }
  const written = await unlessGone(
    client.resource(podResource).status.patch(keyIn(at, step.pod), { type: 'strategic', body }, options(at)),
  )
  if (written !== undefined) caches.pods.wrote(written)
}

/** Say who owns a claim: that decides when it goes. */
export async function ownClaim({ claim, ownerReferences }: StepOf<'own-pvc'>, at: Acting): Promise<void> {
  const { client, caches } = at.world
  const writer = foldingWriter(client.resource(persistentVolumeClaimResource), caches.claims)
  const live = caches.claims.get(keyIn(at, claim))
  if (live === undefined) return
  const { uid, resourceVersion } = live.metadata
  const body = { metadata: { uid, resourceVersion, ownerReferences } }
  await unlessGone(writer.patch(keyIn(at, claim), { type: 'merge', body }, options(at)))
}

/** Make, renumber, adopt or delete a revision. */
export async function changeRevision(
  step: StepOf<'create-revision' | 'renumber-revision' | 'adopt-revision' | 'delete-revision'>,
  at: Acting,
): Promise<void> {
  const { client, caches } = at.world
  const writer = foldingWriter(client.resource(controllerRevisionResource), caches.revisions)
  const key = keyIn(at, step.name)
  switch (step.do) {
    case 'create-revision':
      await orExists(writer.create(buildRevision(step, at), { ...withManager, signal: at.signal }))
      return
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

function buildRevision(
  { name, hash, number, json }: StepOf<'create-revision'>,
  { observed }: Acting,
): ControllerRevision {
  const { metadata, spec } = observed.nodeSet
  const labels = { ...spec.template?.metadata?.labels, ...selectorLabels('worker', metadata.name) }
  const annotations = inheritEntries(metadata.annotations)
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name,
      namespace: metadata.namespace,
      labels: { ...labels, [REVISION_HASH_LABEL]: hash },
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ownerReferences: [buildControllerReference(observed.nodeSet)],
    },
    revision: number,
    data: JSON.parse(json) as JsonValue as never,
  }
}

/** Add or remove a finalizer of the NodeSet; if somebody else changed it meanwhile, the next pass tries again. */
export async function changeFinalizer(
  { do: what, finalizer }: StepOf<'add-finalizer' | 'remove-finalizer'>,
  at: Acting,
): Promise<void> {
  const { client, caches } = at.world
  const { metadata } = at.observed.nodeSet
  const others = (metadata.finalizers ?? []).filter((one) => one !== finalizer)
  const finalizers = what === 'add-finalizer' ? [...others, finalizer] : others
  const { resourceVersion } = caches.nodeSets.get(metadata)?.metadata ?? metadata
  const body = { metadata: { resourceVersion, finalizers } }
  const writer = foldingWriter(client.resource(nodeSetResource), caches.nodeSets)
  await unlessGone(writer.patch(keyIn(at, metadata.name), { type: 'merge', body }, options(at)))
}

function podWriter({ world }: Acting) {
  return foldingWriter(world.client.resource(podResource), world.caches.pods)
}

function keyIn({ observed }: Acting, name: string): ObjectKey {
  return { namespace: observed.nodeSet.metadata.namespace, name }
}

function options({ signal }: Acting) {
  return { ...withManager, signal }
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

async function orExists<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isFailure(error, 'AlreadyExists')) return undefined
    throw error
  }
}
