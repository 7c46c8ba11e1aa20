import { kinds, type OurKind } from '../kinds/all.ts'
import { checkTyped } from './check-typed.ts'
import type { Problem } from './problem.ts'

/** Nobody reads more, and a status has no room for them. */
const MOST_PROBLEMS = 50

/**
 * Everything in the spec of an object that cannot be as its writer meant it, whatever the object is: admission calls
 * this before, and a loop calls it before it builds anything, so that one bad object concerns only itself.
 */
export function findProblems(kind: OurKind, object: { readonly spec?: unknown }): readonly Problem[] {
  return checkTyped(object.spec ?? {}, kinds[kind].spec, 'spec')
    .take(MOST_PROBLEMS)
    .toArray()
}
