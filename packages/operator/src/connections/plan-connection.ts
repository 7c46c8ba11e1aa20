/**
 * How we reach one Slurm cluster, decided from the objects that speak of it. Pure.
 *
 * A Slurm cluster has a key, `namespace/name`, which is that of its Controller, or of a Cluster that names a server. All
 * loops find the connection under this key.
 *
 * @module
 */
import {
  ports,
  restApiServiceName,
  shortServiceHost,
  type Cluster,
  type Controller,
  type RestApi,
} from '@slurm-operator/api'
import type { ConnectionSettings, Secret } from '@slurm-operator/slurm'
import { servicePort } from '../workload/build-service.ts'

/** Everything that a connection is decided from. */
export interface ConnectionPicture {
  readonly controller: Controller | undefined
  /** Those of the Controller. */
  readonly restApis: readonly RestApi[]
  readonly signingKey: Secret | undefined
  /** The Cluster of the same name, if it names a server. */
  readonly cluster: Cluster | undefined
  readonly token: Secret | undefined
  /** For development: where slurmrestd is, whatever the objects say. */
  readonly override?: string | undefined
}

/** What to do about the connection. `keep`: what is missing may come back, and tokens that were minted still work. */
export type ConnectionPlan =
  | { readonly do: 'connect'; readonly settings: ConnectionSettings }
  | { readonly do: 'keep'; readonly because: string }
  | { readonly do: 'remove'; readonly because: string }

/** Decide. */
export function planConnection(picture: ConnectionPicture): ConnectionPlan {
  const { controller, restApis, cluster } = picture
  if (controller !== undefined && restApis.length > 0) return throughRestApi(controller, picture)
  if (cluster?.spec.server !== undefined) return throughServer(cluster.spec.server, picture)
  if (controller === undefined)
    return { do: 'remove', because: 'there is neither a Controller nor a Cluster with a server' }
  return { do: 'remove', because: `no RestApi refers to Controller ${controller.metadata.name}` }
}

function throughRestApi(
  { metadata }: Controller,
  { restApis, signingKey, override }: ConnectionPicture,
): ConnectionPlan {
  if (signingKey === undefined) {
    return { do: 'keep', because: `the Secret with the JWT key of Controller ${metadata.name} is missing` }
  }
  const endpoints = override === undefined ? restApis.toSorted(byAge).map(endpointOf) : [override]
  return { do: 'connect', settings: { endpoints, token: { kind: 'signing-key', key: signingKey, username: 'slurm' } } }
}

function throughServer(server: string, { cluster, token }: ConnectionPicture): ConnectionPlan {
  if (token === undefined) {
    const { name, key } = cluster?.spec.token?.secretRef ?? {}
    return { do: 'keep', because: `there is no Secret ${name} with an entry ${key}` }
  }
  return { do: 'connect', settings: { endpoints: [server], token: { kind: 'given', token } } }
}

/** Its pods are ready, so that somebody should answer. */
export function isServing({ status }: Pick<RestApi | Controller, 'status'>): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false
}

/** The oldest first: with several of them, a new one does not take over at once. */
function byAge({ metadata: one }: RestApi, { metadata: other }: RestApi): number {
  const [a, b] = [one.creationTimestamp ?? '', other.creationTimestamp ?? '']
  return a === b ? one.name.localeCompare(other.name) : a < b ? -1 : 1
}

function endpointOf({ metadata, spec }: RestApi): string {
  const host = shortServiceHost(restApiServiceName(metadata.name), metadata.namespace)
  return `http://${host}:${servicePort(spec.service, ports.slurmrestd)}`
}
