import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createManualClock, httpRequest } from './gen.ts'
import type { HttpAnswer } from './http.ts'
import { limitRate } from './rate-limit.ts'

const nothing: HttpAnswer = { status: 200, headers: {}, body: (async function* () {})() }

function setup(perSecond: number, burst: number) {
  const clock = createManualClock()
  const sentAtMs: number[] = []
  const send = limitRate(
    async () => {
      sentAtMs.push(clock.monotonic())
      return nothing
    },
    { perSecond, burst },
    clock,
  )
  return { clock, send, sentAtMs }
}

test('a burst goes at once, the rest in its pace and its order', async () => {
  const { clock, send, sentAtMs } = setup(10, 3)
  const all = Promise.all(Array.from({ length: 5 }, () => send(httpRequest())))
  await clock.advance(1_000)
  await all
  expect(sentAtMs).toEqual([0, 0, 0, 100, 200])
})

test('whoever cannot be served in time hears it at once and takes nobody the place', async () => {
  const { clock, send, sentAtMs } = setup(1, 1)
  const first = send(httpRequest())
  await expect(send(httpRequest({ timeoutMs: 500 }))).rejects.toMatchObject({ reason: 'Timeout' })
  const second = send(httpRequest({ timeoutMs: 1_000 }))
  await clock.advance(1_000)
  await Promise.all([first, second])
  expect(sentAtMs).toEqual([0, 1_000])
})

test('no second ever sees more than burst and rate allow', async () => {
  const arrivals = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(
      arrivals,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 5 }),
      async (gaps, perSecond, burst) => {
        const { clock, send, sentAtMs } = setup(perSecond, burst)
        const all: Promise<unknown>[] = []
        for (const gap of gaps) {
          all.push(send(httpRequest({ timeoutMs: 1e9 })))
          await clock.advance(gap)
        }
        await clock.advance(60_000)
        await Promise.all(all)
        for (const start of sentAtMs) {
          const inWindow = sentAtMs.filter((at) => at >= start && at < start + 1000).length
          expect(inWindow).toBeLessThanOrEqual(burst + perSecond)
        }
      },
    ),
    { numRuns: 30 },
  )
})
