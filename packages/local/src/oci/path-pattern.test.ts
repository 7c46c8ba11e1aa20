import { describe, expect, test } from 'vitest'
import { matchesAny } from './path-pattern.ts'

const cases = [
  { pattern: 'proc/*', meant: ['proc/1', 'proc/.hidden'], notMeant: ['proc', 'proc/1/fd', 'usr/proc/1', 'process/1'] },
  { pattern: 'usr/share/doc', meant: ['usr/share/doc'], notMeant: ['usr/share/docs', 'usr/share/doc/a'] },
  { pattern: '**/*.pyc', meant: ['usr/lib/a.pyc', 'a/b/c.pyc'], notMeant: ['usr/lib/apyc', 'a/b.pyc.txt'] },
  { pattern: 'log?', meant: ['log1'], notMeant: ['log', 'log/', 'log12'] },
  { pattern: 'a+(b).[c]{d}^$', meant: ['a+(b).[c]{d}^$'], notMeant: ['aab', 'a+(b)x[c]{d}^$'] },
  { pattern: 'line*end', meant: ['line\nend'], notMeant: ['line/end'] },
]

describe('a pattern means neither more nor less than it says', () => {
  for (const { pattern, meant, notMeant } of cases) {
    test(pattern, () => {
      const isMeant = matchesAny([pattern])
      expect(meant.filter((path) => !isMeant(path))).toEqual([])
      expect(notMeant.filter(isMeant)).toEqual([])
    })
  }

  test('no patterns exclude nothing', () => expect(matchesAny([])('etc')).toBe(false))
})
