import type { JSONSchemaProps } from '@slurm-operator/kube'
import type { Topology } from '../ownership/topology.ts'

/** What the server knows about one resource in one version. */
export interface ResourceType {
  /** '' for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  /** Names below an object: `status`, `scale`, `eviction`, `binding`, `finalize`. */
  readonly subresources: readonly string[]
  /** Whether `metadata.generation` counts changes of what is wanted. */
  readonly hasGeneration: boolean
  /** Nothing is stored: a create answers a question. */
  readonly isReview: boolean
  /** Only for kinds that came from a CRD. */
  readonly custom?: CustomType
  /** How its fields are owned. */
  readonly topology: Topology
}

/** What a CRD says about its kind. */
export interface CustomType {
  /** Unset: nothing is known, and everything is kept. */
  readonly schema: JSONSchemaProps | undefined
  readonly scale?: ScalePaths
  /** The version that `metadata.managedFields` and storage use. */
  readonly storageVersion: string
}

/** Where a kind keeps what `scale` shows; paths such as `spec`, `replicas`. */
export interface ScalePaths {
  readonly specReplicas: readonly string[]
  readonly statusReplicas: readonly string[]
  readonly selector?: readonly string[]
}

/** `v1`, `apps/v1`. */
export function apiVersionOf({ group, version }: Pick<ResourceType, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`
}

/** Which collection its objects are in. */
export function storageOf({ group, plural }: Pick<ResourceType, 'group' | 'plural'>): string {
  return `${group}/${plural}`
}

/** Whether its status is written through its own door only. */
export function hasStatus({ subresources }: ResourceType): boolean {
  return subresources.includes('status')
}
