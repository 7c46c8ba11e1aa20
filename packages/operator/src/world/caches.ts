/**
 * Everything that loops read without a request: one cache per kind, with the indexes that answer their questions.
 *
 * @module
 */
import {
  accountingResource,
  clusterResource,
  controllerResource,
  loginSetResource,
  nodeSetResource,
  restApiResource,
  tokenResource,
} from '@slurm-operator/api'
import {
  configMapResource,
  controllerRevisionResource,
  deploymentResource,
  nodeResource,
  persistentVolumeClaimResource,
  podDisruptionBudgetResource,
  podResource,
  secretResource,
  serviceResource,
  statefulSetResource,
  type Client,
  type Clock,
  type KubeObject,
  type Live,
  type Random,
  type Resource,
} from '@slurm-operator/kube'
import { Cache, type Cached, type Component, type Indexes } from '@slurm-operator/runtime'
import { indexes } from './indexes.ts'
import { keepMetadata, keepPod, keepSpecified, keepWhole, type Kept, type Specified } from './trim.ts'

/** What caches are made of. */
export interface CacheWorld {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  /** Only these; undefined: all. Kube nodes are always watched. */
  readonly namespaces?: readonly string[]
  /** Told when a watch fails; it is tried again by itself. */
  readonly onTrouble?: (cache: string, error: unknown) => void
}

/** Pods of any other program do not concern us. */
const OUR_PODS = 'app.kubernetes.io/name in (slurmctld,slurmdbd,slurmrestd,slurmd,login)'

/** All caches of the operator. */
export type Caches = ReturnType<typeof createCaches>

/** Make the caches. They are empty until they run. */
export function createCaches(world: CacheWorld) {
  const whole = <T extends KubeObject>(resource: Resource<T>, more?: Indexes<Kept<T>>) =>
    createCache(world, resource, { keep: keepWhole<T>, indexes: { owner: indexes.owner, ...more } })
  const ours = <T extends KubeObject & Specified>(resource: Resource<T>, more?: Indexes<Kept<T>>) =>
    createCache(world, resource, { keep: keepSpecified<T>, indexes: { ...more } })
  return {
    controllers: ours(controllerResource, indexes.controller),
    accountings: ours(accountingResource, indexes.accounting),
    restApis: ours(restApiResource, indexes.ofController),
    loginSets: ours(loginSetResource, indexes.loginSet),
    nodeSets: ours(nodeSetResource, indexes.nodeSet),
    tokens: ours(tokenResource, indexes.token),
    clusters: ours(clusterResource, indexes.cluster),
    services: whole(serviceResource),
    statefulSets: whole(statefulSetResource),
    deployments: whole(deploymentResource),
    claims: whole(persistentVolumeClaimResource, indexes.claim),
    revisions: whole(controllerRevisionResource, indexes.revision),
    budgets: whole(podDisruptionBudgetResource),
    nodes: createCache({ ...world, namespaces: undefined }, nodeResource, {
      ...neverApplied,
      keep: keepWhole,
      indexes: {},
    }),
    pods: createCache(world, podResource, {
      ...neverApplied,
      keep: keepPod,
      indexes: indexes.pod,
      labelSelector: OUR_PODS,
    }),
    secretNames: createMetadataCache(world, secretResource),
    configMapNames: createMetadataCache(world, configMapResource),
  }
}

/** Nobody needs to know which of their fields are ours: that is half of the text of a pod. */
const neverApplied = { skipManagedFields: true } as const

/** All of them, to be run. */
export function listCaches(caches: Caches): readonly Component[] {
  return Object.values(caches)
}

interface CacheShape<T extends KubeObject, K extends Cached> {
  readonly keep: (raw: Live<T>) => K
  readonly indexes: Indexes<K>
  readonly labelSelector?: string
  readonly skipManagedFields?: boolean
}

type Scoped = Omit<CacheWorld, 'namespaces'> & { readonly namespaces?: readonly string[] | undefined }

/** A cache of any kind. */
export function createCache<T extends KubeObject, K extends Cached>(
  { client, ...world }: Scoped,
  resource: Resource<T>,
  shape: CacheShape<T, K>,
): Cache<Live<T>, K> {
  return new Cache<Live<T>, K>({ ...shape, ...common(world, resource), reader: client.resource(resource) })
}

function createMetadataCache<T extends KubeObject>({ client, ...world }: CacheWorld, resource: Resource<T>) {
  const reader = client.metadata(resource)
  return new Cache({
    ...common(world, resource),
    ...neverApplied,
    reader,
    keep: keepMetadata,
    indexes: { owner: indexes.owner },
  })
}

function common({ clock, random, namespaces, onTrouble }: Omit<Scoped, 'client'>, { plural }: { plural: string }) {
  return {
    ...{ name: plural, clock, random },
    ...(namespaces !== undefined && { namespaces }),
    ...(onTrouble !== undefined && { observer: { failed: (error: unknown) => onTrouble(plural, error) } }),
  }
}
