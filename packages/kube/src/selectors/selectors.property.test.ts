import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFieldSelector, printFieldSelector, type FieldTerm } from './field-selector.ts'
import { matchesLabels } from './match-labels.ts'
import { parseSelector } from './parse-selector.ts'
import { printSelector } from './print-selector.ts'
import { sortRequirements, type Requirement } from './requirement.ts'

const anyKey = fc.constantFrom('a', 'b', 'in', 'notin', 'x.io/c')
const anyValue = fc.constantFrom('', 'a', 'b', 'in', 'A.b_c-d', '5', '17')
const anyRequirement: fc.Arbitrary<Requirement> = fc.oneof(
  fc.record({
    key: anyKey,
    operator: fc.constantFrom('In', 'NotIn'),
    values: fc.array(anyValue, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ key: anyKey, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
  fc.record({
    key: anyKey,
    operator: fc.constantFrom('GreaterThan', 'LessThan'),
    than: fc.bigInt({ min: 0n, max: 20n }),
  }),
)
const anyRequirements = fc.array(anyRequirement, { maxLength: 5 })
const anyLabels = fc.dictionary(anyKey, anyValue)

test('what is printed is read back as the same selector', () => {
  fc.assert(
    fc.property(anyRequirements, (selector) => {
      expect(parseSelector(printSelector(selector))).toEqual(sortRequirements(selector))
    }),
  )
})

test('a selector matches the same objects after printing and reading', () => {
  fc.assert(
    fc.property(anyRequirements, anyLabels, (selector, labels) => {
      expect(matchesLabels(parseSelector(printSelector(selector)), labels)).toBe(matchesLabels(selector, labels))
    }),
  )
})

test('more requirements never match more objects', () => {
  fc.assert(
    fc.property(anyRequirements, anyRequirement, anyLabels, (selector, more, labels) => {
      expect(!matchesLabels([...selector, more], labels) || matchesLabels(selector, labels)).toBe(true)
    }),
  )
})

test('In and NotIn, Exists and DoesNotExist are opposites', () => {
  fc.assert(
    fc.property(anyKey, fc.array(anyValue), anyLabels, (key, values, labels) => {
      const matches = (requirement: Requirement) => matchesLabels([requirement], labels)
      expect(matches({ key, operator: 'In', values })).toBe(!matches({ key, operator: 'NotIn', values }))
      expect(matches({ key, operator: 'Exists' })).toBe(!matches({ key, operator: 'DoesNotExist' }))
    }),
  )
})

const anyTerm: fc.Arbitrary<FieldTerm> = fc.record({
  field: fc.constantFrom('a', 'metadata.name', 'spec.x'),
  operator: fc.constantFrom('=', '!='),
  value: fc.string({ unit: fc.constantFrom('a', ',', '=', '\\', '!', ' ', 'ä'), maxLength: 6 }),
})

test('field selectors survive printing and reading, whatever is in the values', () => {
  fc.assert(
    fc.property(fc.array(anyTerm, { maxLength: 4 }), (terms) => {
      const printed = printFieldSelector(terms)
      expect(printFieldSelector(parseFieldSelector(printed))).toBe(printed)
      const said = (list: readonly FieldTerm[]) =>
        new Set(list.map(({ field, operator, value }) => `${field} ${operator} ${value}`))
      expect(said(parseFieldSelector(printed))).toEqual(said(terms))
    }),
  )
})
