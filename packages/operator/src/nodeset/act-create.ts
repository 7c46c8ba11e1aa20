/**
 * Makes what workers consist of. What exists though no cache knows it (the answer to an earlier creation was lost, and its
 * news is late) is read: otherwise each pass would try to make it again until the news comes.
 *
 * @module
 */
import {
  controllerRevisionResource,
  isControlledBy,
  isFailure,
  persistentVolumeClaimResource,
  podResource,
  type KubeObject,
  type Live,
  type Resource,
} from '@slurm-operator/kube'
import { foldingWriter, type Cache, type Cached } from '@slurm-operator/runtime'
import { FIELD_MANAGER, type KeptPod } from '../world/trim.ts'
import type { Acting } from './acting.ts'
import { buildClaim } from './build-claim.ts'
import { buildRevision } from './build-revision.ts'
import { buildWorkerPod } from './build-worker-pod.ts'
import type { ClaimWish, StepOf } from './steps.ts'

/** Make a worker: its claims first, then the pod. One of that name that is not ours stands in the way. */
export async function createPod({ worker }: StepOf<'create-pod'>, at: Acting): Promise<void> {
  const { nodeSet, template } = at.observed
  if (template === undefined) throw new Error('Cannot make a worker pod: there is no template.')
  for (const claim of worker.claims) if (!claim.exists) await createClaim(claim, at)
  const isIt = (existing: KeptPod | undefined): boolean => existing !== undefined && isControlledBy(existing, nodeSet)
  const way = { resource: podResource, cache: at.world.caches.pods, isIt }
  await create(buildWorkerPod(nodeSet, template, worker), way, at)
}

/** Make a claim; one of that name that somebody made in this moment will do. */
export async function createClaim(claim: ClaimWish, at: Acting): Promise<void> {
  const way = { resource: persistentVolumeClaimResource, cache: at.world.caches.claims, isIt: () => true }
  await create(buildClaim(at.observed.nodeSet, claim), way, at)
}

/** Make a revision; likewise. */
export async function createRevision(step: StepOf<'create-revision'>, at: Acting): Promise<void> {
  const way = { resource: controllerRevisionResource, cache: at.world.caches.revisions, isIt: () => true }
  await create(buildRevision(at.observed.nodeSet, step), way, at)
}

interface Way<T extends KubeObject, K extends Cached> {
  readonly resource: Resource<T>
  readonly cache: Cache<Live<T>, K>
  /** Whether what has its name is what was to be made, as far as the cache may know it. */
  readonly isIt: (existing: K | undefined) => boolean
}

async function create<T extends KubeObject, K extends Cached>(
  object: T,
  { resource, cache, isIt }: Way<T, K>,
  { world, signal }: Acting,
): Promise<void> {
  try {
    await foldingWriter(world.client.resource(resource), cache).create(object, { fieldManager: FIELD_MANAGER, signal })
  } catch (error) {
    if (!isFailure(error, 'AlreadyExists')) throw error
    const { name = '', namespace } = object.metadata
    await cache.lookUp({ namespace, name }, signal)
    if (!isIt(cache.get({ namespace, name }))) throw error
  }
}
