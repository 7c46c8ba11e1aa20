import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { choiceFlag, durationFlag, integerFlag, listFlag, switchFlag, textFlag } from './flag.ts'
import { parseFlags } from './parse-flags.ts'
import { describeFlags, printFlagTable, printHelp, printWrong } from './print-flags.ts'

const flags = {
  addr: textFlag({ default: ':8081', help: 'where probes are answered' }),
  elect: switchFlag({ help: 'elect a leader' }),
  safe: switchFlag({ default: true, help: 'be safe' }),
  workers: integerFlag({ default: 1, min: 1, help: 'passes at the same time' }),
  wait: durationFlag({ default: 90_000, help: 'how long to wait' }),
  namespaces: listFlag({ help: 'namespaces to watch' }),
  encoder: choiceFlag({ default: 'json', choices: ['json', 'console'], help: 'how lines look' }),
}

const run = (...words: string[]) => parseFlags(flags, words)
const values = (...words: string[]) => {
  const parsed = run(...words)
  return parsed.kind === 'run' ? parsed.values : parsed
}

describe('reading flags prevents that', () => {
  test('a default is lost', () => {
    expect(values()).toEqual({
      addr: ':8081',
      elect: false,
      safe: true,
      workers: 1,
      wait: 90_000,
      namespaces: [],
      encoder: 'json',
    })
  })

  test('one of the four ways to write a flag is not understood', () => {
    for (const words of [['-addr', ':1'], ['--addr', ':1'], ['-addr=:1'], ['--addr=:1']]) {
      expect(values(...words)).toMatchObject({ addr: ':1' })
    }
    expect(values('--addr=')).toMatchObject({ addr: '' })
    expect(values('--addr=a=b')).toMatchObject({ addr: 'a=b' })
    expect(values('--addr', '--elect'), 'the next word is the value, whatever it looks like').toMatchObject({
      addr: '--elect',
      elect: false,
    })
  })

  test('a switch eats the word behind it', () => {
    expect(run('--elect', 'true', '--addr=x')).toMatchObject({
      values: { elect: true, addr: ':8081' },
      rest: ['true', '--addr=x'],
    })
    expect(values('--elect=false', '--safe=f')).toMatchObject({ elect: false, safe: false })
    expect(values('-elect=T')).toMatchObject({ elect: true })
  })

  test('words behind the flags are read as flags', () => {
    expect(run('--elect', '--', '--addr=x')).toMatchObject({ values: { addr: ':8081' }, rest: ['--addr=x'] })
    expect(run('-', '--elect')).toMatchObject({ values: { elect: false }, rest: ['-', '--elect'] })
    expect(run('', '--elect')).toMatchObject({ rest: ['', '--elect'] })
  })

  test('a flag that is given twice counts the first time, a list forgets', () => {
    expect(values('--addr=a', '--addr=b', '--namespaces= a,, b ', '--namespaces=c')).toMatchObject({
      addr: 'b',
      namespaces: ['a', 'b', 'c'],
    })
    expect(run('--elect=false')).toMatchObject({ given: new Set(['elect']) })
  })

  test('numbers and durations are read in another way than Go does', () => {
    for (const [text, number] of [
      ['5', 5],
      ['0x10', 16],
      ['010', 8],
      ['0b11', 3],
      ['1_000', 1000],
      ['+7', 7],
    ] as const) {
      expect(values('--workers', text)).toMatchObject({ workers: number })
    }
    expect(values('--wait=1h30m')).toMatchObject({ wait: 5_400_000 })
    expect(values('--encoder=Console')).toMatchObject({ encoder: 'console' })
  })

  const mistakes: readonly (readonly [string[], string])[] = [
    [['--adr=:1'], 'Cannot use --adr: there is no such flag.'],
    [['--constructor'], 'Cannot use --constructor: there is no such flag.'],
    [['--addr'], 'Cannot use --addr: its value is missing.'],
    [['--workers=0'], 'Cannot use --workers=0: it must be 1 or more.'],
    [['--workers=1.5'], 'Cannot use --workers=1.5: it must be a whole number.'],
    [['--workers='], 'Cannot use --workers=: it must be a whole number.'],
    [['--elect=maybe'], 'Cannot use --elect=maybe: it must be true or false.'],
    [['--encoder=xml'], 'Cannot use --encoder=xml: it must be one of json, console.'],
    [['--wait=5'], 'Cannot use --wait=5: it must be a duration such as 1h30m, 1.5h or 100ms.'],
    [['--=x'], 'Cannot read "--=x" as a flag: its name is missing.'],
    [['---x'], 'Cannot read "---x" as a flag: its name is missing.'],
  ]
  for (const [words, because] of mistakes) {
    test(`${words.join(' ')} is accepted, or refused without a reason`, () =>
      expect(run(...words)).toEqual({ kind: 'wrong', because }))
  }

  test('any words at all make the parser throw', () => {
    const anyWord = fc.oneof(
      fc.string(),
      fc.constantFrom('--', '-', '--addr', '-elect', '--wait=1s', '--help', '--workers'),
    )
    fc.assert(fc.property(fc.array(anyWord), (words) => void run(...words)))
  })
})

describe('help prevents that', () => {
  test('people do not see what there is', () => {
    for (const word of ['-h', '--help', '-help']) expect(run(word)).toEqual({ kind: 'help' })
    expect(printHelp('manager', flags)).toBe(`Usage of manager:
  -addr string
    \twhere probes are answered (default ":8081")
  -elect
    \telect a leader
  -encoder json|console
    \thow lines look (default json)
  -namespaces string
    \tnamespaces to watch
  -safe
    \tbe safe (default true)
  -wait duration
    \thow long to wait (default 1m30s)
  -workers int
    \tpasses at the same time (default 1)
`)
    expect(printWrong('manager', 'Cannot use --x.', flags)).toMatch(/^Cannot use --x\.\nUsage of manager:\n/)
  })

  test('the table in the documentation breaks at a bar', () => {
    const table = printFlagTable(flags)
    expect(table).toContain('| `--encoder` | json\\|console | json | how lines look |')
    expect(table).toContain('| `--elect` | switch | false | elect a leader |')
    expect(table).toContain('| `--namespaces` | string | empty | namespaces to watch |')
    expect(describeFlags(flags).map(({ name }) => name)).toEqual(Object.keys(flags).toSorted())
  })
})
