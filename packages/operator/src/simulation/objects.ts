/**
 * The objects of a simulated Slurm cluster.
 *
 * @module
 */
import { API_GROUP_VERSION, type Controller, type NodeSet, type RestApi } from '@slurm-operator/api'
import type { Secret } from '@slurm-operator/kube'

/** Where everything is. */
export const NAMESPACE = 'slurm'
/** The Controller, and so the Slurm cluster. */
export const CLUSTER = 'sim'

/** What users have written on NodeSets. */
export type Annotations = Readonly<Record<string, string>>

const at = (name: string) => ({ name, namespace: NAMESPACE })
const apiVersion = API_GROUP_VERSION

/** The Secret with which we sign tokens. */
export function buildKey(signingKey: Uint8Array): Secret {
  const data = { key: Buffer.from(signingKey).toString('base64') }
  return { apiVersion: 'v1', kind: 'Secret', metadata: at('key'), data }
}

/** The Controller; nobody runs its slurmctld here, the simulated Slurm is it. */
export function buildController(): Controller {
  const ref = { name: 'key', key: 'key' }
  return { apiVersion, kind: 'Controller', metadata: at(CLUSTER), spec: { slurmKeyRef: ref, jwtKeyRef: ref } }
}

/** The way to slurmrestd. */
export function buildRestApi(): RestApi {
  return { apiVersion, kind: 'RestApi', metadata: at('web'), spec: { controllerRef: { name: CLUSTER } } }
}

/** Workers. */
export function buildNodeSet(name: string, spec: Partial<NodeSet['spec']>, annotations?: Annotations): NodeSet {
  return {
    ...{ apiVersion, kind: 'NodeSet', metadata: { ...at(name), ...(annotations && { annotations }) } },
    spec: { controllerRef: { name: CLUSTER }, slurmd: { image: 'slurmd:1' }, logfile: { image: 'log:1' }, ...spec },
  }
}

/** What the administrator of a history writes when a node is drained. */
export const FOREIGN_REASON = 'broken fan'
