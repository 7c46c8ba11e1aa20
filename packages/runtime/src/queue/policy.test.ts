import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backOffMs, defaultRetryPace, fullBucket, takeToken } from './policy.ts'

test('the back-off stops growing, or grows beyond its ceiling, after many failures', () => {
  expect([0, 1, 2, 3, 18, 19, 1e9].map((failures) => backOffMs(failures, defaultRetryPace))).toEqual([
    5, 5, 10, 20, 655_360, 1_000_000, 1_000_000,
  ])
})

test('more retries than the rate allows, in any window of time', () => {
  const pace = { ...defaultRetryPace, perSecond: 10, burst: 5 }
  fc.assert(
    fc.property(fc.array(fc.nat(300), { maxLength: 100 }), (pauses) => {
      let bucket = fullBucket
      let nowMs = 0
      const times = pauses.map((pause) => {
        nowMs += pause
        const token = takeToken(bucket, nowMs, pace)
        bucket = token.bucket
        expect(token.atMs).toBeGreaterThanOrEqual(nowMs)
        return token.atMs
      })
      times.forEach((start, first) => {
        const within = times.filter((atMs, place) => place >= first && atMs < start + 1000).length
        expect(within).toBeLessThanOrEqual(15)
      })
    }),
  )
})
