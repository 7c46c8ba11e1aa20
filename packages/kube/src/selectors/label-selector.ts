import {
  sortRequirements,
  SelectorError,
  whyInvalidRequirement,
  type Requirement,
  type Selector,
} from './requirement.ts'

/** The selector inside API objects, such as `spec.selector` of a Deployment. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly LabelSelectorRequirement[]
}

/** One line of `matchExpressions`; the operator is what a user typed. */
export interface LabelSelectorRequirement {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
}

/** What such a field means: an empty selector matches all, a missing one matches nothing. */
export function readLabelSelector(selector: LabelSelector | null | undefined): Selector {
  if (selector === null || selector === undefined) return 'nothing'
  const requirements = [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => labelIs(key, value)),
    ...(selector.matchExpressions ?? []).map((expression) => readExpression(expression)),
  ]
  for (const requirement of requirements) {
    const why = whyInvalidRequirement(requirement)
    if (why !== undefined) throw new SelectorError(selector, why)
  }
  return sortRequirements(requirements)
}

/** A label must be there with exactly this value. */
export function labelIs(key: string, value: string): Requirement {
  return { key, operator: 'In', values: [value] }
}

function readExpression({ key, operator, values = [] }: LabelSelectorRequirement): Requirement {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return { key, operator, values }
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) throw new SelectorError({ key, operator, values }, `${operator} takes no values`)
      return { key, operator }
    default:
      throw new SelectorError({ key, operator }, `the operator must be In, NotIn, Exists or DoesNotExist`)
  }
}
