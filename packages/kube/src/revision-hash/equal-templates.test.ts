import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../json/json-value.ts'
import { anyJson } from '../json/gen.ts'
import { equalTemplates, normalizeTemplate } from './equal-templates.ts'

const same: readonly { name: string; a: JsonValue; b: JsonValue }[] = [
  { name: 'key order', a: { a: 1, b: 2 }, b: { b: 2, a: 1 } },
  { name: 'null, empty and missing lists', a: { containers: null, volumes: [] }, b: {} },
  { name: 'empty structs', a: { spec: { securityContext: {}, affinity: { nodeAffinity: {} } } }, b: { spec: {} } },
  {
    name: 'null creation times',
    a: { metadata: { creationTimestamp: null, name: 'x' } },
    b: { metadata: { name: 'x' } },
  },
  { name: 'CPUs', a: { resources: { limits: { cpu: '1000m' } } }, b: { resources: { limits: { cpu: 1 } } } },
  {
    name: 'memory',
    a: { resources: { requests: { memory: '1Gi' } } },
    b: { resources: { requests: { memory: '1024Mi' } } },
  },
  { name: 'size limits', a: [{ emptyDir: { sizeLimit: '0.5Gi' } }], b: [{ emptyDir: { sizeLimit: '512Mi' } }] },
  { name: 'divisors', a: { resourceFieldRef: { divisor: '0' } }, b: { resourceFieldRef: { divisor: 0 } } },
]

const different: readonly { name: string; a: JsonValue; b: JsonValue }[] = [
  { name: 'an amount', a: { resources: { limits: { cpu: '1' } } }, b: { resources: { limits: { cpu: '1001m' } } } },
  { name: 'a label that looks like an amount', a: { labels: { divisor: '1' } }, b: { labels: { divisor: '1000m' } } },
  {
    name: 'the order of containers',
    a: { containers: [{ name: 'a' }, { name: 'b' }] },
    b: { containers: [{ name: 'b' }, { name: 'a' }] },
  },
  { name: 'a selector that selects all', a: { labelSelector: {} }, b: {} },
  { name: 'a namespace selector that selects all', a: { namespaceSelector: {} }, b: {} },
  { name: 'a toleration of everything', a: { tolerations: [{}] }, b: {} },
  { name: 'false and nothing', a: { automountServiceAccountToken: false }, b: {} },
  { name: 'an empty text', a: { storageClassName: '' }, b: {} },
  { name: 'what is no amount', a: { resources: { limits: { cpu: 'x' } } }, b: { resources: { limits: { cpu: 'y' } } } },
]

describe('no rollout because of how a template is written', () => {
  test.each(same)('$name', ({ a, b }) => expect(equalTemplates(a, b)).toBe(true))
  test('a missing template and an empty one', () => expect(equalTemplates(undefined, { spec: {} })).toBe(true))
})

describe('no rollout forgotten', () => {
  test.each(different)('$name', ({ a, b }) => expect(equalTemplates(a, b)).toBe(false))
})

test('normalizing twice changes nothing', () => {
  fc.assert(
    fc.property(anyJson({ nulls: true }), (value) => {
      expect(normalizeTemplate(normalizeTemplate(value))).toEqual(normalizeTemplate(value))
    }),
  )
})
