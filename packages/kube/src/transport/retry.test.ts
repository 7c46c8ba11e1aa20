import { expect, test } from 'vitest'
import { KubeError } from '../errors/kube-error.ts'
import { createManualClock, httpRequest } from './gen.ts'
import { defaultRetryPolicy } from './plan-retry.ts'
import { withRetries } from './retry.ts'

const busy = (retryAfterSeconds?: number) =>
  new KubeError({
    reason: 'TooManyRequests',
    code: 429,
    request: 'ask',
    detail: 'busy',
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })

function setup(failures: readonly Error[], timeoutMs = 30_000, signal?: AbortSignal) {
  const clock = createManualClock()
  const tries: { readonly atMs: number; readonly timeoutMs: number }[] = []
  const left = [...failures]
  const result = withRetries(
    httpRequest({ timeoutMs, signal }),
    async (request) => {
      tries.push({ atMs: clock.monotonic(), timeoutMs: request.timeoutMs })
      const failure = left.shift()
      if (failure !== undefined) throw failure
      return 'done'
    },
    { clock, random: () => 0, policy: defaultRetryPolicy },
  )
  result.catch(() => {}) // looked at later
  return { clock, tries, result }
}

test('waits as long as the server asks, and what is left of the deadline goes to the next try', async () => {
  const { clock, tries, result } = setup([busy(2)])
  await clock.advance(5_000)
  expect(await result).toBe('done')
  expect(tries).toEqual([
    { atMs: 0, timeoutMs: 30_000 },
    { atMs: 2_000, timeoutMs: 28_000 },
  ])
})

test('does not wait for a moment after the deadline, but says at once what happened', async () => {
  const { tries, result } = setup([busy(60)])
  await expect(result).rejects.toMatchObject({ reason: 'TooManyRequests', retryAfterSeconds: 60 })
  expect(tries).toHaveLength(1)
})

test('gives up after the last try with the last error', async () => {
  const { clock, tries, result } = setup(Array.from({ length: 20 }, () => busy()))
  await clock.advance(60_000)
  await expect(result).rejects.toMatchObject({ reason: 'TooManyRequests' })
  expect(tries).toHaveLength(defaultRetryPolicy.maxTries)
})

test('a caller who gives up while we wait is answered at once', async () => {
  const giveUp = new AbortController()
  const { clock, result } = setup([busy(5)], 30_000, giveUp.signal)
  await clock.advance(1_000)
  giveUp.abort()
  await expect(result).rejects.toMatchObject({ reason: 'Aborted' })
})

test('a bug in our own code is not repeated', async () => {
  const { tries, result } = setup([new TypeError('a bug')])
  await expect(result).rejects.toThrow('a bug')
  expect(tries).toHaveLength(1)
})
