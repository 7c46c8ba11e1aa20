import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shortenName, shortenNameBefore } from './shorten-name.ts'
import { whyInvalidAnnotations, whyInvalidLabels } from './why-invalid-metadata.ts'
import {
  whyInvalidDataKey,
  whyInvalidDns1035Label,
  whyInvalidDnsLabel,
  whyInvalidDnsSubdomain,
  whyInvalidLabelKey,
  whyInvalidLabelValue,
} from './why-invalid-name.ts'

const long = (length: number) => 'a'.repeat(length)

const rules = [
  {
    rule: whyInvalidDnsLabel,
    good: ['a', '0a', 'a-b', long(63)],
    bad: ['', 'A', 'a.b', '-a', 'a-', 'a_b', 'ö', 'a\n', long(64)],
  },
  { rule: whyInvalidDns1035Label, good: ['a', 'a-0', long(63)], bad: ['', '0a', 'a.b', 'a-', long(64)] },
  {
    rule: whyInvalidDnsSubdomain,
    good: ['a', 'a.b', '0.1', long(253)],
    bad: ['', 'a..b', '.a', 'a.', 'a-.b', 'A', 'a\n', long(254)],
  },
  {
    rule: whyInvalidLabelKey,
    good: ['a', 'A_b.c-d', 'example.com/A', `${long(253)}/${long(63)}`],
    bad: ['', '/', 'a/', '/a', 'a/b/c', 'A.com/a', '_a', 'a_', 'a\n', long(64), `${long(254)}/a`],
  },
  {
    rule: whyInvalidLabelValue,
    good: ['', 'a', 'A_b.c-d', '0', long(63)],
    bad: ['-', 'a-', '.a', 'a b', 'a/b', 'ä', 'a\n', long(64)],
  },
  {
    rule: whyInvalidDataKey,
    good: ['a', '.a', 'slurm.conf', '_', long(253)],
    bad: ['', '.', '..', '..a', 'a/b', 'a\n', long(254)],
  },
]

describe.each(rules)('$rule.name', ({ rule, good, bad }) => {
  test.each(good)('accepts %j', (name) => expect(rule(name)).toBeUndefined())
  test.each(bad)('says why %j is refused', (name) => expect(rule(name)).toBeTypeOf('string'))
})

describe('labels and annotations', () => {
  test('the label that is wrong is named', () => {
    expect(whyInvalidLabels({ ok: 'a', 'not ok': 'a' })).toContain('not ok')
    expect(whyInvalidLabels({ ok: 'a b' })).toContain('a b')
    expect(whyInvalidLabels({ ok: 'a', 'x.io/b': '' })).toBeUndefined()
  })
  test('annotations have free values, but not free keys', () => {
    expect(whyInvalidAnnotations({ 'Example.COM/Key': 'any text\n' })).toBeUndefined()
    expect(whyInvalidAnnotations({ 'a b': '' })).toContain('a b')
  })
  test('annotations have a limit together, counted in bytes', () => {
    expect(whyInvalidAnnotations({ a: 'x'.repeat(256 * 1024 - 1) })).toBeUndefined()
    expect(whyInvalidAnnotations({ a: 'x'.repeat(256 * 1024 - 2) + 'ö' })).toContain('262145 bytes')
  })
})

describe('shortened names', () => {
  test('a short name stays as people wrote it', () => expect(shortenName('slurm-worker', 63)).toBe('slurm-worker'))
  test('the result never changes between releases', () => {
    expect(shortenName('a'.repeat(70), 63)).toBe(`${'a'.repeat(52)}-4x4cwhg26g`)
  })
  test('no loose dash or dot is left before the hash', () => {
    expect(shortenName('abcd-----------------------', 18)).toMatch(/^abcd-[a-z0-9]{10}$/)
  })
  test('an ending that carries meaning survives', () => {
    expect(shortenNameBefore('a', '-config', 63)).toBe('a-config')
    expect(shortenNameBefore('a'.repeat(100), '-config', 63)).toMatch(/^a{45}-[a-z0-9]{10}-config$/)
  })
  test('no room for a hash is a mistake of the caller', () =>
    expect(() => shortenName('abcdefghijklmn', 11)).toThrow(RangeError))

  const anyLabel = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,90}[a-z0-9])?$/)
  test('valid names stay valid, fit, and stay different', () => {
    fc.assert(
      fc.property(anyLabel, anyLabel, fc.integer({ min: 12, max: 63 }), (a, b, longest) => {
        expect(whyInvalidDnsLabel(shortenName(a, longest))).toBeUndefined()
        expect(shortenName(a, longest).length).toBeLessThanOrEqual(longest)
        expect(shortenName(a, longest) === shortenName(b, longest)).toBe(a === b)
        expect(shortenName(shortenName(a, longest), longest)).toBe(shortenName(a, longest))
      }),
    )
  })
})
