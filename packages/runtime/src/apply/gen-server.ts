/** Test data of this room: the hands that a real or simulated server is reached with. */
import { isFailure, KubeError, type Client, type KubeObject, type Resource } from '@slurm-operator/kube'
import type { ChildKind, LiveChild } from './child.ts'
import { keepOwnFields } from './owned-fields.ts'

/** A child kind whose cache is a map that the test fills. */
export function kindOn(
  client: Client,
  resource: Resource<KubeObject>,
  cache: ReadonlyMap<string, LiveChild>,
): ChildKind {
  const { find: read, apply, patch, delete: remove } = client.resource(resource)
  return {
    resource,
    read,
    apply,
    patch,
    delete: remove,
    find: ({ name }) => cache.get(name),
    ownedBy: (uid) =>
      [...cache.values()].filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid)),
  }
}

/** An object as the cache would hold it. */
export function asCached<T extends LiveChild>(live: T, fieldManager: string): T {
  const managedFields = keepOwnFields(live.metadata.managedFields, fieldManager)
  return { ...live, metadata: { ...live.metadata, managedFields } }
}

/** Whether the server knows a kind: a real one needs a moment after its definition. */
export async function isServed(client: Client, resource: Resource<KubeObject>): Promise<boolean> {
  try {
    await client.resource(resource).list()
    return true
  } catch (error) {
    if (isFailure(error, 'NotFound', 'TooManyRequests')) return false
    throw error
  }
}

/** Whether the server said no to the object, not to us. */
export function isRefused(error: unknown): error is KubeError {
  return error instanceof KubeError && (error.reason === 'Invalid' || error.reason === 'InternalError')
}
