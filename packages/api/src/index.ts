/**
 * Our kinds: schema, types, defaults, keys, names.
 *
 * @module
 */

// The kinds: types, descriptors, defaults.
export * from './kinds/accounting.ts'
export * from './kinds/cluster.ts'
export * from './kinds/controller.ts'
export * from './kinds/login-set.ts'
export * from './kinds/node-set.ts'
export * from './kinds/rest-api.ts'
export * from './kinds/token.ts'
export { kinds, type OurKind, type OurObject } from './kinds/all.ts'
export { resourceOf, type Column, type KindDefinition, type OurMeta } from './kinds/kind.ts'
export { buildCrd } from './crd/build-crd.ts'

// Their parts.
export type * from './parts.ts'
export type { DeepPartial, FromSchema, FromSchemaWithDefaults } from './schema/from-schema.ts'
export type { FreeFormType, Schema } from './schema/schema.ts'

// Words that objects, users and programs rely on.
export * from './annotations.ts'
export * from './conditions.ts'
export * from './constants.ts'
export * from './labels.ts'
export * from './names.ts'

// What is wrong with an object.
export { findProblems } from './validate/find-problems.ts'
export { printProblem, type Problem } from './validate/problem.ts'
export { withoutUnknownKeys } from './validate/without-unknown-keys.ts'
