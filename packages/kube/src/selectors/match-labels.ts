import type { Requirement, Selector } from './requirement.ts'

/** The labels of an object; objects without any have none. */
export type Labels = Readonly<Record<string, string>> | null | undefined

/** Whether the labels fulfil every requirement. */
export function matchesLabels(selector: Selector, labels: Labels): boolean {
  return selector !== 'nothing' && selector.every((requirement) => fulfils(requirement, labels))
}

function fulfils(requirement: Requirement, labels: Labels): boolean {
  const value = labels && Object.hasOwn(labels, requirement.key) ? labels[requirement.key] : undefined
  switch (requirement.operator) {
    case 'In':
      return value !== undefined && requirement.values.includes(value)
    case 'NotIn':
      return value === undefined || !requirement.values.includes(value) // objects without the label match, too
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'GreaterThan':
      return isAbove(value, requirement.than)
    case 'LessThan':
      return isBelow(value, requirement.than)
  }
}

function isAbove(value: string | undefined, than: bigint): boolean {
  const number = parseInt64(value)
  return number !== undefined && number > than
}

function isBelow(value: string | undefined, than: bigint): boolean {
  const number = parseInt64(value)
  return number !== undefined && number < than
}

/** A whole number of 64 bits as labels hold it; undefined for everything else. */
export function parseInt64(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?[0-9]+$/.test(text)) return undefined
  const number = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, number) === number ? number : undefined
}
