import {
  defineResource,
  type KubeObject,
  type ObjectMeta,
  type Resource,
  type ValidationRule,
} from '@slurm-operator/kube'
import { API_GROUP, API_VERSION } from '../constants.ts'
import type { Schema } from '../schema/schema.ts'

/** A column that `kubectl get` prints. Those of priority 1 need `-o wide`. */
export interface Column {
  readonly name: string
  readonly type: 'string' | 'integer' | 'date' | 'boolean'
  readonly jsonPath: string
  readonly priority?: number
  readonly description?: string
}

/** All there is to know about one of our kinds. */
export interface KindDefinition {
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly description: string
  /** `kubectl scale` and autoscalers work on it. */
  readonly scalable: boolean
  /** Between NAME and AGE. */
  readonly columns: readonly Column[]
  readonly spec: Schema
  readonly status: Schema
  /** Rules over the whole object. */
  readonly rules?: readonly ValidationRule[]
}

/** Our objects live in namespaces and always have a name. */
export interface OurMeta extends ObjectMeta {
  readonly name: string
  readonly namespace: string
}

/** Where the objects of a kind are. */
export function resourceOf<T extends KubeObject>({ kind, plural }: KindDefinition): Resource<T> {
  return defineResource<T>({ group: API_GROUP, version: API_VERSION, kind, plural, namespaced: true })
}

/** What the Ready condition says, as columns. */
export const readyColumn = {
  name: 'READY',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Ready")].status',
  description: 'Whether everything is as it should be.',
} as const satisfies Column

/** Why it is or is not ready, in one word. */
export const reasonColumn = {
  name: 'REASON',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Ready")].reason',
  description: 'Why it is ready or not; `kubectl describe` has the whole sentence.',
} as const satisfies Column
