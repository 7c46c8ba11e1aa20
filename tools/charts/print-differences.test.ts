import { expect, test } from 'vitest'
import { printDifferences } from './print-differences.ts'

test('a reason is told twice, or without its places', () => {
  const allow = [
    { object: 'Role/*', path: 'rules', reason: 'smaller' },
    { object: 'Secret/tls', reason: 'no secrets' },
    { object: 'Role/*', path: 'metadata', reason: 'smaller' },
  ]
  expect(printDifferences(JSON.stringify({ allow })).trimEnd().split('\n').slice(-2)).toEqual([
    '| `Role/* rules`<br>`Role/* metadata` | smaller |',
    '| `Secret/tls` | no secrets |',
  ])
})
