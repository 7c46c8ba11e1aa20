import fc from 'fast-check'
import { expect, test } from 'vitest'
import { equalJson } from '../json/equal-json.ts'
import { anyJson } from '../json/gen.ts'
import { applyJsonPatch } from './apply-json-patch.ts'
import { diffJson } from './diff-json.ts'

const any = anyJson({ nulls: true })

test('the difference of any two documents turns one into the other', () => {
  fc.assert(
    fc.property(any, any, (from, to) => {
      expect(equalJson(applyJsonPatch(from, diffJson(from, to)), to)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('a document does not differ from itself', () => {
  fc.assert(
    fc.property(any, (document) => {
      expect(diffJson(document, structuredClone(document))).toEqual([])
    }),
  )
})

test('no difference is longer than both documents', () => {
  const size = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Object.values(value).reduce<number>((sum, inner) => sum + size(inner), 0)
      : 1
  fc.assert(
    fc.property(any, any, (from, to) => {
      expect(diffJson(from, to).length).toBeLessThanOrEqual(size(from) + size(to))
    }),
  )
})
