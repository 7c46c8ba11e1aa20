import { SelectorError, sortRequirements, type Requirement, type Selector } from './requirement.ts'

/** The text form for a list or watch request. There is none for `nothing`: an empty text would mean all. */
export function printSelector(selector: Selector): string {
  if (selector === 'nothing')
    throw new SelectorError(selector, 'it has no text form, because an empty text means all. Do not ask the server')
  return sortRequirements(selector)
    .map((requirement) => printRequirement(requirement))
    .join(',')
}

function printRequirement(requirement: Requirement): string {
  const { key } = requirement
  switch (requirement.operator) {
    case 'In':
      return printValues(key, requirement.values, '=', 'in')
    case 'NotIn':
      return printValues(key, requirement.values, '!=', 'notin')
    case 'Exists':
      return key
    case 'DoesNotExist':
      return `!${key}`
    case 'GreaterThan':
      return `${key}>${requirement.than}`
    case 'LessThan':
      return `${key}<${requirement.than}`
  }
}

function printValues(key: string, values: readonly string[], single: string, several: string): string {
  return values.length === 1 ? `${key}${single}${values[0]}` : `${key} ${several} (${values.join(',')})`
}
