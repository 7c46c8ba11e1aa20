import { KubeError } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { defaultPatience, planNext, type Ending } from './plan-next.ts'

const next = (ending: Ending, failures = 0, hasVersion = true) =>
  planNext(ending, hasVersion, failures, 1, defaultPatience)
const failure = (reason: 'Expired' | 'InternalError' | 'TooManyRequests', retryAfterSeconds?: number) =>
  new KubeError({
    reason,
    request: 'watch pods',
    detail: 'no',
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })

describe('after the end of a list or a watch', () => {
  test('a peaceful end makes us list everything again', () => {
    expect(next({ kind: 'watch-ended', lastedMs: 300_000, heard: 0 })).toEqual({ do: 'watch', inMs: 0, failures: 0 })
  })

  test('a broken stream makes us list everything again', () => {
    expect(next({ kind: 'failed', error: failure('InternalError'), lastedMs: 60_000, heard: 10 })).toMatchObject({
      do: 'watch',
      failures: 1,
    })
  })

  test('a forgotten version is asked for again and again', () => {
    expect(next({ kind: 'failed', error: failure('Expired'), lastedMs: 10, heard: 0 })).toMatchObject({ do: 'list' })
  })

  test('a server that lets us in and throws us out is asked without a pause', () => {
    let step = next({ kind: 'watch-ended', lastedMs: 3, heard: 0 })
    const pauses: number[] = []
    for (let round = 0; round < 8; round++) {
      pauses.push(step.inMs)
      step = next({ kind: 'watch-ended', lastedMs: 3, heard: 0 }, step.failures)
    }
    expect(pauses).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  })

  test('lists between broken watches make the pauses short again', () => {
    const broken = next({ kind: 'failed', error: failure('Expired'), lastedMs: 1, heard: 0 }, 5)
    const listed = next({ kind: 'listed' }, broken.failures)
    expect(next({ kind: 'failed', error: failure('Expired'), lastedMs: 1, heard: 0 }, listed.failures).inMs).toBe(
      30_000,
    )
  })

  test('a server that asks for a minute gets a second', () => {
    expect(next({ kind: 'failed', error: failure('TooManyRequests', 60), lastedMs: 1, heard: 0 }).inMs).toBe(60_000)
  })

  test('a first list that failed is followed by a watch from nowhere', () => {
    expect(next({ kind: 'failed', error: failure('InternalError'), lastedMs: 1, heard: 0 }, 0, false)).toMatchObject({
      do: 'list',
    })
  })
})
