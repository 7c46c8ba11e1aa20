import { describe, expect, test } from 'vitest'
import { matchesFields, parseFieldSelector, printFieldSelector } from './field-selector.ts'
import { labelIs, readLabelSelector } from './label-selector.ts'
import { matchesLabels } from './match-labels.ts'
import { parseSelector } from './parse-selector.ts'
import { printSelector } from './print-selector.ts'
import { SelectorError } from './requirement.ts'

describe('the text form', () => {
  const forms: readonly (readonly [string, string])[] = [
    ['', ''],
    ['a=b,c!=d,e in (x,y),!f,g>5', 'a=b,c!=d,e in (x,y),!f,g>5'],
    ['b==c', 'b=c'],
    [' a , ! b ', 'a,!b'],
    ['z,a', 'a,z'],
    ['a in (y,x,y)', 'a in (x,y)'],
    ['a notin (x)', 'a!=x'],
    ['a in (,x)', 'a in (,x)'],
    ['a in ()', 'a='],
    ['a=,b', 'a=,b'],
    ['in in (in,notin)', 'in in (in,notin)'],
    ['example.com/a<007', 'example.com/a<7'],
    ['\ta\n=\rb', 'a=b'],
  ]
  test.each(forms)('%j is read and printed as %j', (text, printed) =>
    expect(printSelector(parseSelector(text))).toBe(printed),
  )

  const wrong = [
    ',',
    'a,',
    ',a',
    'a b',
    'a=b c',
    'a in b',
    'a in (b',
    'a in (b c)',
    '!a=b',
    'a>x',
    'a>-1',
    'a=b=c',
    '=a',
    'a/b/c',
    'a=b/c',
    'a in',
    'a>',
    'a<99999999999999999999',
    'a!b',
    '!',
    '()',
  ]
  test.each(wrong)('%j is refused as the server refuses it', (text) =>
    expect(() => parseSelector(text)).toThrow(SelectorError),
  )
})

describe('matching', () => {
  const labels = { a: 'b', n: '7', empty: '' }
  const rows = [
    { selector: '', matches: true },
    { selector: 'a=b', matches: true },
    { selector: 'a=c', matches: false },
    { selector: 'x=', matches: false },
    { selector: 'empty=', matches: true },
    { selector: 'a!=c', matches: true },
    { selector: 'x!=c', matches: true }, // objects without the label match
    { selector: 'x notin (c)', matches: true },
    { selector: 'a in (b,c),n', matches: true },
    { selector: '!x', matches: true },
    { selector: '!a', matches: false },
    { selector: 'n>6,n<8', matches: true },
    { selector: 'n>7', matches: false },
    { selector: 'a>1', matches: false },
    { selector: 'x<1', matches: false },
    { selector: 'toString', matches: false }, // what every object inherits is not a label
  ]
  test.each(rows)('$selector: $matches', ({ selector, matches }) => {
    expect(matchesLabels(parseSelector(selector), labels)).toBe(matches)
  })
  test('objects without labels', () => {
    expect(matchesLabels(parseSelector('a'), undefined)).toBe(false)
    expect(matchesLabels(parseSelector('!a'), null)).toBe(true)
  })
})

describe('selectors in objects', () => {
  test('a missing selector selects nothing, an empty one everything', () => {
    expect(matchesLabels(readLabelSelector(undefined), {})).toBe(false)
    expect(matchesLabels(readLabelSelector(null), {})).toBe(false)
    expect(matchesLabels(readLabelSelector({}), {})).toBe(true)
  })
  test('nothing is never printed, because an empty text means all', () => {
    expect(() => printSelector('nothing')).toThrow(SelectorError)
  })
  test('all parts must hold', () => {
    const selector = readLabelSelector({
      matchLabels: { a: 'b' },
      matchExpressions: [
        { key: 'c', operator: 'In', values: ['d', 'e'] },
        { key: 'f', operator: 'NotIn', values: ['g'] },
        { key: 'h', operator: 'Exists' },
        { key: 'i', operator: 'DoesNotExist', values: [] },
      ],
    })
    expect(printSelector(selector)).toBe('a=b,c in (d,e),f!=g,h,!i')
    expect(matchesLabels(selector, { a: 'b', c: 'e', h: '' })).toBe(true)
    expect(matchesLabels(selector, { a: 'b', c: 'e', h: '', i: '' })).toBe(false)
  })
  const wrong = [
    { matchExpressions: [{ key: 'a', operator: 'in', values: ['b'] }] },
    { matchExpressions: [{ key: 'a', operator: 'In' }] },
    { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
    { matchLabels: { 'a b': 'c' } },
    { matchLabels: { a: 'b c' } },
  ]
  test.each(wrong)('%j is refused', (selector) => expect(() => readLabelSelector(selector)).toThrow(SelectorError))
  test('a single label', () => expect(printSelector([labelIs('a', 'b')])).toBe('a=b'))
})

describe('field selectors', () => {
  test('are read and printed', () => {
    expect(printFieldSelector(parseFieldSelector('status.phase!=Running,spec.nodeName==a'))).toBe(
      'spec.nodeName=a,status.phase!=Running',
    )
    expect(parseFieldSelector('')).toEqual([])
    expect(parseFieldSelector(String.raw`a=x\,y\=z\\,b=`)).toEqual([
      { field: 'a', operator: '=', value: String.raw`x,y=z\ `.trim() },
      { field: 'b', operator: '=', value: '' },
    ])
  })
  test.each(['a', 'a=b=c', String.raw`a=\x`, 'a=\\', '=b', '\\'])('%j is refused', (text) => {
    expect(() => parseFieldSelector(text)).toThrow(SelectorError)
  })
  test('match objects; what is not there is empty', () => {
    const pod = { metadata: { name: 'p' }, spec: { hostNetwork: true }, status: { phase: 'Running', list: [1] } }
    expect(matchesFields(parseFieldSelector('metadata.name=p,status.phase=Running,spec.hostNetwork=true'), pod)).toBe(
      true,
    )
    expect(matchesFields(parseFieldSelector('spec.nodeName='), pod)).toBe(true)
    expect(matchesFields(parseFieldSelector('spec.nodeName!='), pod)).toBe(false)
    expect(matchesFields(parseFieldSelector('status.list='), pod)).toBe(true)
    expect(matchesFields(parseFieldSelector('spec.toString='), pod)).toBe(true)
  })
})
