import { expect, test } from 'vitest'
import { describeResult, runChecks } from './run-checks.ts'

test('checks run side by side', async () => {
  const gate = Promise.withResolvers<string[]>()
  const waits = { name: 'waits', find: () => gate.promise }
  const opens = { name: 'opens', find: () => Promise.resolve((gate.resolve([]), [])) }
  const results = await runChecks([waits, opens], () => {})
  expect(results.map(({ name }) => name)).toEqual(['waits', 'opens'])
})

test('a check that crashes has a finding and does not take the others with it', async () => {
  const crashes = { name: 'crashes', find: () => Promise.reject(new Error('no such file')) }
  const fine = { name: 'fine', find: () => Promise.resolve([]) }
  const results = await runChecks([crashes, fine], () => {})
  expect(results[0]?.findings).toEqual(['the check itself failed: Error: no such file'])
  expect(results[1]?.findings).toEqual([])
})

test('the outcome of a check is one line, and one more for each finding', () => {
  expect(describeResult({ name: 'types', findings: [], tookMs: 1234 })).toBe('ok   types             1.2 s')
  expect(describeResult({ name: 'types', findings: ['a', 'b'], tookMs: 0 }).split('\n')).toHaveLength(3)
})
