import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerReview, fitWarnings } from './answer-review.ts'
import { LONGEST_REVIEW_MS, reviewTimeMs } from './deadline.ts'

test('warnings are longer, more or stranger than an API server hands on', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 25 }), (warnings) => {
      const fitting = fitWarnings(warnings)
      expect(fitting.every((text) => text.length > 0 && text.length <= 256)).toBe(true)
      expect(fitting.join('').length).toBeLessThanOrEqual(4096)
      expect(fitting.every((text) => text.isWellFormed() && !/\p{Cc}/u.test(text))).toBe(true)
    }),
    { numRuns: 30 },
  )
})

test('a short warning is changed, or a long one is cut without a sign', () => {
  expect(fitWarnings(['spec.a is ignored', ' two\nlines '])).toEqual(['spec.a is ignored', 'two lines'])
  const [long = ''] = fitWarnings(['x'.repeat(300)])
  expect(long).toBe(`${'x'.repeat(255)}…`)
  const [clef = ''] = fitWarnings([`${'x'.repeat(254)}𝄞${'x'.repeat(99)}`])
  expect(clef).toBe(`${'x'.repeat(254)}…`)
})

test('an empty patch is sent as a patch', () => {
  const { response } = JSON.parse(answerReview('admission.k8s.io/v1', 'u', { allowed: true, patch: [] })) as {
    response: unknown
  }
  expect(response).toEqual({ uid: 'u', allowed: true })
})

const times = [
  ['10s', 9000],
  ['30s', LONGEST_REVIEW_MS],
  ['1s', 900],
  ['1m30s', LONGEST_REVIEW_MS],
  ['1.5s', 1350],
  ['500ms', 450],
  ['1ms', 50],
  ['', LONGEST_REVIEW_MS],
  ['never', LONGEST_REVIEW_MS],
  ['-1s', LONGEST_REVIEW_MS],
  ['1e9s', LONGEST_REVIEW_MS],
] as const

test.each(times)('a review with timeout=%s takes longer than the API server waits', (text, ms) => {
  expect(reviewTimeMs(text)).toBe(ms)
  expect(reviewTimeMs(null)).toBe(LONGEST_REVIEW_MS)
})
