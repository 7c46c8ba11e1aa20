/**
 * The kinds of children that component loops apply, as the engine of `runtime` wants them: reads from the caches, writes
 * behind the gate, every answer folded in at once.
 *
 * @module
 */
import {
  configMapResource,
  deploymentResource,
  podDisruptionBudgetResource,
  secretResource,
  serviceResource,
  statefulSetResource,
  type Client,
  type KubeObject,
  type Live,
  type ObjectKey,
  type Resource,
} from '@slurm-operator/kube'
import { childKind, foldingWriter, type Cache, type ChildKind } from '@slurm-operator/runtime'
import type { Caches } from './caches.ts'
import type { Contents } from './contents.ts'
import { keepWhole, type Kept } from './trim.ts'

/** A kind whose objects the cache holds whole. */
export function cachedChild<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  cache: Cache<Live<T>, Kept<T>>,
): ChildKind {
  const server = client.resource(resource)
  const writer = foldingWriter(server, cache)
  return childKind<T>({
    resource,
    find: (key) => cache.get(key),
    ownedBy: (uid) => cache.by('owner', uid),
    read: (key, options) => server.find(key, options),
    apply: async (object, options) => keepWhole(await writer.apply(object, options)),
    patch: (key, patch, options) => writer.patch(key, patch, options),
    delete: (key, options) => writer.delete(key, options),
  })
}

/** A kind whose content is read on demand: call `Contents.load` first. */
function contentChild<T extends KubeObject>(client: Client, resource: Resource<T>, contents: Contents<T>): ChildKind {
  const server = client.resource(resource)
  return childKind<T>({
    resource,
    find: (key) => contents.find(key),
    ownedBy: (uid) => contents.ownedBy(uid),
    read: (key, options) => server.find(key, options),
    apply: async (object, options) => contents.wrote(await server.apply(object, options)),
    patch: async (key, patch, options) => contents.wrote(await server.patch(key, patch, options)),
    delete: (key, options) => server.delete(key, options),
  })
}

/** What component loops may have as children. */
export function createChildKinds(
  client: Client,
  caches: Caches,
  { secrets, configMaps }: Pick<ContentStores, 'secrets' | 'configMaps'>,
): readonly ChildKind[] {
  return [
    contentChild(client, configMapResource, configMaps),
    contentChild(client, secretResource, secrets),
    cachedChild(client, serviceResource, caches.services),
    cachedChild(client, statefulSetResource, caches.statefulSets),
    cachedChild(client, deploymentResource, caches.deployments),
  ]
}

/** What NodeSets have as children besides pods, claims and revisions. */
export function createWorkerChildKinds(
  client: Client,
  caches: Caches,
  { configMaps }: Pick<ContentStores, 'configMaps'>,
): readonly ChildKind[] {
  return [
    contentChild(client, configMapResource, configMaps),
    cachedChild(client, serviceResource, caches.services),
    cachedChild(client, podDisruptionBudgetResource, caches.budgets),
  ]
}

/** Both kinds of content. */
export interface ContentStores {
  readonly secrets: Contents<SecretObject>
  readonly configMaps: Contents<ConfigMapObject>
}

type ObjectOf<R> = R extends Resource<infer T> ? T : never
type SecretObject = ObjectOf<typeof secretResource>
type ConfigMapObject = ObjectOf<typeof configMapResource>

/** For `Contents.load`: the keys of wanted objects of one kind. */
export function keysOfKind(wanted: readonly KubeObject[], kind: string): ObjectKey[] {
  return wanted.flatMap(({ kind: its, metadata: { name = '', namespace } }) =>
    its === kind ? [{ name, namespace }] : [],
  )
}
