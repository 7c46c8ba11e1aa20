import { describe, expect, test } from 'vitest'
import { isExpired, isNotFound } from './kube-error.ts'
import { errorFromBody } from './read-status.ts'

const origin = { request: 'get pods a/b', code: 404 }

test('the server’s own words reach people, with verb and object', () => {
  const body = JSON.stringify({ kind: 'Status', message: 'pods "b" not found', reason: 'NotFound', code: 404 })
  const error = errorFromBody(body, origin)
  expect(error.message).toBe('Cannot get pods a/b: pods "b" not found (NotFound)')
  expect(isNotFound(error)).toBe(true)
})

test('causes, the time to wait and the token to go on are kept', () => {
  const details = { causes: [{ reason: 'FieldValueInvalid', message: 'no', field: 'spec.x' }], retryAfterSeconds: 7 }
  const status = { kind: 'Status', reason: 'Expired', code: 410, message: 'old', details, metadata: { continue: 'go' } }
  const error = errorFromBody(JSON.stringify(status), { request: 'list pods', code: 410 })
  expect(error).toMatchObject({ ...details, code: 410, continueToken: 'go' })
  expect(isExpired(error)).toBe(true)
})

describe('an answer without a Status has a reason by its code', () => {
  const cases = [
    [401, 'Unauthorized'],
    [410, 'Gone'],
    [429, 'TooManyRequests'],
    [502, 'Unknown'],
    [503, 'ServiceUnavailable'],
  ] as const
  for (const [code, reason] of cases) {
    test(`${code}`, () => expect(errorFromBody('<html>', { request: 'ask', code }).reason).toBe(reason))
  }
})

test('a reason that we do not know does not hide what the code says', () => {
  const body = JSON.stringify({ kind: 'Status', reason: 'Novelty', code: 409, message: 'x' })
  expect(errorFromBody(body, { request: 'ask', code: 409 }).reason).toBe('Conflict')
})

test('a page of a proxy is shown in part, an empty one is called so', () => {
  expect(errorFromBody('x'.repeat(5_000), { request: 'ask', code: 502 }).message.length).toBeLessThan(400)
  expect(errorFromBody('', { request: 'ask', code: 502 }).message).toContain('502 without a word')
})
