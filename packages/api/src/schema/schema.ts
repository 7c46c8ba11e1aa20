import type { ValidationRule } from '@slurm-operator/kube'

/** The Kubernetes types that our free-form fields hold. */
export type FreeFormType = 'PodSpec' | 'Container' | 'ServiceSpec' | 'PersistentVolumeClaims'

/**
 * The shape of one value: what a CRD may say about it, and three things that only we read. Everything about a kind
 * (CRD, TypeScript types, defaults, validation, tables in the docs) is derived from constants of this type.
 */
export interface Schema {
  readonly type?: 'string' | 'integer' | 'boolean' | 'object' | 'array'
  /** What people read in `kubectl explain` and in the tables. */
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly string[]
  readonly format?: 'int32' | 'int64' | 'date-time'
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly maxProperties?: number
  readonly nullable?: boolean
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema
  readonly anyOf?: readonly Schema[]
  readonly 'x-kubernetes-int-or-string'?: true
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map'
  readonly 'x-kubernetes-list-map-keys'?: readonly string[]
  readonly 'x-kubernetes-map-type'?: 'atomic'
  readonly 'x-kubernetes-preserve-unknown-fields'?: true
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[]
  /** Ours: the Kubernetes type of a free-form field. It is not part of the CRD. */
  readonly freeForm?: FreeFormType
  /** Ours: a default that stored objects do not show, because the reference does not store it either. */
  readonly defaultInMemory?: unknown
}
