/**
 * Which objects are meant, by their labels. A selector is a list of requirements that must all hold; the empty list
 * matches everything, and `nothing` is a selector of its own, so that a missing one never means "all".
 *
 * @module
 */
import { whyInvalidLabelKey, whyInvalidLabelValue } from '../names/why-invalid-name.ts'

/** One condition on one label. */
export type Requirement =
  | { readonly key: string; readonly operator: 'In' | 'NotIn'; readonly values: readonly string[] }
  | { readonly key: string; readonly operator: 'Exists' | 'DoesNotExist' }
  | { readonly key: string; readonly operator: 'GreaterThan' | 'LessThan'; readonly than: bigint }

/** All requirements must hold. */
export type Selector = 'nothing' | readonly Requirement[]

/** A selector that the API server would refuse. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError'

  constructor(selector: unknown, why: string) {
    super(`Cannot use the selector ${JSON.stringify(selector)}: ${why}.`)
  }
}

/** Why the API server would refuse a requirement; undefined if it would not. */
export function whyInvalidRequirement(requirement: Requirement): string | undefined {
  const why = whyInvalidLabelKey(requirement.key)
  if (why !== undefined) return `the label key ${JSON.stringify(requirement.key)} is not allowed: ${why}`
  if (requirement.operator !== 'In' && requirement.operator !== 'NotIn') return undefined
  if (requirement.values.length === 0) return `${requirement.operator} for label ${requirement.key} has no values`
  for (const value of requirement.values) {
    const whyValue = whyInvalidLabelValue(value)
    if (whyValue !== undefined) return `the value ${JSON.stringify(value)} is not allowed: ${whyValue}`
  }
  return undefined
}

/** One order for all: by key, values sorted and each only once. Two selectors that say the same then look the same. */
export function sortRequirements(requirements: readonly Requirement[]): Requirement[] {
  const sorted = requirements.map((requirement) =>
    'values' in requirement ? { ...requirement, values: [...new Set(requirement.values)].sort() } : requirement,
  )
  return sorted.sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1))
}
