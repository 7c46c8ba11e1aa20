/**
 * TypeScript types from schema constants, so that no field is written down twice.
 *
 * `null` is not part of the types: the server keeps it in a few fields, where it means the same as absence, and
 * `withDefaults` takes it out.
 *
 * @module
 */
import type { Container, IntOrString, PersistentVolumeClaim, PodSpec, ServiceSpec } from '@slurm-operator/kube'
import type { FreeFormType } from './schema.ts'

/** A value as a user writes it: whatever has a default may be left out. */
export type FromSchema<S> = Value<S, 'written'>

/** The same value once `withDefaults` has filled in what was left out. */
export type FromSchemaWithDefaults<S> = Value<S, 'defaulted'>

/** A value with any part left out, as users write patches over what the operator builds. */
export type DeepPartial<T> = T extends readonly (infer Item)[]
  ? readonly DeepPartial<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]?: DeepPartial<T[Key]> }
    : T

type Mode = 'written' | 'defaulted'

interface FreeForm {
  readonly PodSpec: DeepPartial<PodSpec>
  readonly Container: DeepPartial<Container>
  readonly ServiceSpec: DeepPartial<ServiceSpec>
  readonly PersistentVolumeClaims: readonly DeepPartial<PersistentVolumeClaim>[]
}

type Value<S, M extends Mode> = S extends { readonly freeForm: infer Name extends FreeFormType }
  ? FreeForm[Name]
  : S extends { readonly 'x-kubernetes-int-or-string': true }
    ? IntOrString
    : S extends { readonly enum: readonly (infer Word)[] }
      ? Word
      : S extends { readonly type: 'array'; readonly items: infer Items }
        ? readonly Value<Items, M>[]
        : S extends { readonly properties: infer Properties }
          ? Fields<Properties, Needed<S, M>, M>
          : S extends { readonly additionalProperties: infer Values }
            ? Readonly<Record<string, Value<Values, M>>>
            : Simple<S>

type Simple<S> = S extends { readonly type: 'string' }
  ? string
  : S extends { readonly type: 'integer' }
    ? number
    : S extends { readonly type: 'boolean' }
      ? boolean
      : unknown

type Fields<P, Required extends string, M extends Mode> = {
  readonly [Key in keyof P as Key extends Required ? Key : never]: Value<P[Key], M>
} & {
  readonly [Key in keyof P as Key extends Required ? never : Key]?: Value<P[Key], M>
} extends infer Both
  ? { readonly [Key in keyof Both]: Both[Key] }
  : never

type Listed<S> = S extends { readonly required: readonly (infer Name extends string)[] } ? Name : never

type Defaulted<S> = S extends { readonly properties: infer P }
  ? {
      [Key in keyof P]: P[Key] extends { readonly default: unknown } | { readonly defaultInMemory: unknown }
        ? Key
        : never
    }[keyof P] &
      string
  : never

/** A required field with a default need not be written: the server fills it in before it looks. */
type Needed<S, M extends Mode> = M extends 'defaulted' ? Listed<S> | Defaulted<S> : Exclude<Listed<S>, Defaulted<S>>
