import { expect, test } from 'vitest'
import { httpRequest } from './gen.ts'
import { parseWarnings, reportWarnings } from './warnings.ts'

test('a warning that comes with every request is told once', async () => {
  const told: string[] = []
  const headers = { warning: '299 - "unknown field \\"spec.x\\"", 299 - "v1 is old, use v2"' }
  const send = reportWarnings(
    async () => ({ status: 200, headers, body: (async function* () {})() }),
    (one) => told.push(one),
  )
  await send(httpRequest())
  await send(httpRequest())
  expect(told).toEqual(['unknown field "spec.x"', 'v1 is old, use v2'])
})

test('other codes and rubbish are no warnings', () => {
  expect(parseWarnings('110 anderson/1.3.37 "Response is stale", 299')).toEqual([])
})
