import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KubeError, type Failure } from '../errors/kube-error.ts'
import type { Method } from './http.ts'
import { defaultRetryPolicy, planRetry } from './plan-retry.ts'

const half = () => 0.5
const plan = (method: Method, failure: Partial<Failure>, tries = 1) =>
  planRetry(
    { method, error: new KubeError({ reason: 'Unknown', request: 'ask', detail: '', ...failure }), tries },
    defaultRetryPolicy,
    half,
  )

const accidents: readonly (readonly [name: string, method: Method, failure: Partial<Failure>, repeats: boolean])[] = [
  [
    'a pod is created twice because the connection broke after sending',
    'POST',
    { reason: 'Unreachable', mayHaveHappened: true },
    false,
  ],
  ['a pod is not created because the server was restarting', 'POST', { reason: 'Unreachable' }, true],
  [
    'a pod is created twice because of an answer that says nothing about it',
    'POST',
    { code: 500, reason: 'InternalError' },
    false,
  ],
  ['a write is lost to a busy server', 'PATCH', { code: 429, reason: 'TooManyRequests' }, true],
  ['a write is lost to a server that shuts down', 'PUT', { code: 503, retryAfterSeconds: 1 }, true],
  ['a delete is done twice behind a broken proxy', 'DELETE', { code: 503 }, false],
  ['a list fails because one of three servers is gone', 'GET', { code: 502 }, true],
  ['a list fails because its connection was cut', 'GET', { reason: 'Unreachable', mayHaveHappened: true }, true],
  ['a list hammers a server that does not know us', 'GET', { code: 401, reason: 'Unauthorized' }, false],
  ['a list goes on after its deadline', 'GET', { reason: 'Timeout' }, false],
  ['a list goes on after its caller has left', 'GET', { reason: 'Aborted' }, false],
  [
    'an eviction blocks a worker while a disruption budget says no',
    'POST',
    { code: 429, retryAfterSeconds: 10, causes: [{ reason: 'DisruptionBudget', message: '' }] },
    false,
  ],
]

describe('the retry plan prevents that', () => {
  for (const [name, method, failure, repeats] of accidents) {
    test(name, () => expect(plan(method, failure) !== undefined).toBe(repeats))
  }
})

test('no failure makes a write repeat that may have happened', () => {
  const anyFailure = fc.record({
    reason: fc.constantFrom('Unreachable', 'Timeout', 'ServerTimeout', 'InternalError', 'Aborted', 'Malformed'),
    code: fc.option(fc.constantFrom(500, 502, 504), { nil: undefined }),
  })
  fc.assert(
    fc.property(anyFailure, fc.constantFrom<Method>('POST', 'PUT', 'PATCH', 'DELETE'), ({ reason, code }, method) => {
      const failure = { reason, mayHaveHappened: true, ...(code !== undefined && { code }) } as Partial<Failure>
      expect(plan(method, failure)).toBeUndefined()
    }),
  )
})

test('delays grow, have a ceiling, and never undercut what the server asked for', () => {
  const delays = [1, 2, 3, 4, 5, 6, 7].map((tries) => plan('GET', { code: 500 }, tries))
  expect(delays).toEqual([75, 150, 300, 600, 1200, 2400, 3750])
  expect(plan('GET', { code: 500 }, 8)).toBeUndefined()
  expect(plan('GET', { code: 429, retryAfterSeconds: 3 })).toBe(3375)
})
