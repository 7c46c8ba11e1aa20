import type { ValidationRule } from '@slurm-operator/kube'

/** How long the name of an object may be. */
export interface NameLimits {
  readonly longest: number
  /** Where objects that we run ourselves need more room for endings such as `-controller-0`. */
  readonly longestManaged?: number
}

/** Rules for names: others are derived from them, and must fit into host names and labels. */
export function nameRules({ longest, longestManaged }: NameLimits): readonly ValidationRule[] {
  const managed =
    longestManaged === undefined ? [] : [atMost(longestManaged, 'self.spec.external || ', ', unless it is external')]
  return [
    atMost(longest, '', ''),
    ...managed,
    {
      rule: "!self.metadata.name.contains('.')",
      message: 'the name must have no dots: Services and host names are derived from it',
    },
  ]
}

function atMost(longest: number, unless: string, unlessInWords: string): ValidationRule {
  return {
    rule: `${unless}size(self.metadata.name) <= ${longest}`,
    message: `the name must have at most ${longest} characters${unlessInWords}: pods and labels are named after it`,
  }
}
