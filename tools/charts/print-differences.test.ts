import { expect, test } from 'vitest'
import { printDifferences } from './print-differences.ts'

test('a reason is told twice, or without its places', () => {
  const allow = [
    { object: 'Role/*', path: 'rules', reason: 'smaller' },
    { object: 'Secret/tls', reason: 'no secrets (charts 5)' },
    { object: 'Role/*', path: 'metadata', reason: 'smaller' },
  ]
  expect(printDifferences(JSON.stringify({ allow })).trimEnd().split('\n').slice(-2)).toEqual([
    '| smaller | `Role/* rules`<br>`Role/* metadata` |',
    '| no secrets | `Secret/tls` |',
  ])
})
