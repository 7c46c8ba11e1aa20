import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readLines, readPairs, readSettings } from './read-lines.ts'
import { writeValue } from './value-text.ts'
import { setting, writeConf } from './write-conf.ts'

describe('a value', () => {
  // Each of these was read back by the commands of Slurm 26.05.
  const written: readonly (readonly [value: string, text: string])[] = [
    ['secret-word', 'secret-word'],
    ['/foo#bar', String.raw`/foo\#bar`],
    [String.raw`/foo\bar`, String.raw`/foo\\bar`],
    ['foo\\', String.raw`foo\\`],
    ['/foo bar#x', String.raw`"/foo bar\#x"`],
    ['/foo\tbar', '"/foo\tbar"'],
    ['/fo"o', '/fo"o'],
    ['"foo', '"foo'],
  ]
  test.each(written)('%j is written so that Slurm reads it', (value, text) => {
    expect(writeValue(value)).toEqual({ text })
  })

  const refused: readonly (readonly [value: string, why: RegExp])[] = [
    ['', /empty/],
    ['a\nSlurmUser=root', /line break/],
    ['a\r', /line break/],
    ['a "b', /blank and a double quote/],
    ['"a"', /begins and ends/],
    ['x'.repeat(5000), /longer/],
  ]
  test.each(refused)('%j cannot be written, and it is told why', (value, why) => {
    expect(writeValue(value)).toEqual({ why: expect.stringMatching(why) })
  })
})

const anyValue = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('\\', '#', '"', ' ', 'a', '=', '\n') }))

test('whatever can be written is read back as it was, in one line', () => {
  fc.assert(
    fc.property(anyValue, (value) => {
      const line = writeValue(value)
      fc.pre('text' in line)
      const lines = readLines(`First=1\nKey=${line.text}\nLast=1`)
      expect(lines.map(({ content }) => readPairs(content))).toEqual([
        { pairs: [{ key: 'First', value: '1' }], rest: '' },
        { pairs: [{ key: 'Key', value }], rest: '' },
        { pairs: [{ key: 'Last', value: '1' }], rest: '' },
      ])
    }),
    { numRuns: 1000 },
  )
})

test('a file holds its settings and nothing else, whatever their values are', () => {
  fc.assert(
    fc.property(fc.array(anyValue, { maxLength: 5 }), (values) => {
      const settings = values.map((value, index) => setting(`Key${index}`, value))
      const { value: text, problems } = writeConf([{ banner: 'GENERAL', settings }])
      const kept = settings.filter(({ value }) => 'text' in writeValue(value))
      expect([...readSettings(text).values()]).toEqual(kept)
      expect(problems).toHaveLength(settings.length - kept.length)
      expect(text.split('\n')).toHaveLength(kept.length === 0 ? 1 : kept.length + 3)
    }),
  )
})

test('a key that is written twice is a problem, except where Slurm reads several', () => {
  const twice = (key: string) => writeConf([{ banner: 'X', settings: [setting(key, 'a'), setting(key, 'b')] }]).problems
  expect(twice('MaxNodeCount')).toHaveLength(1)
  expect(twice('SlurmctldHost')).toEqual([])
})

describe('reading', () => {
  test('comments, escapes, carriage returns and continuation lines', () => {
    const text = 'A=1 # one\r\n# nothing\nB=x,\\  # goes on\ny\nC=a\\#b\nD="two words"\nlast=1\nLAST=2\nP=1 Q=2'
    expect([...readSettings(text).values()]).toEqual([
      { key: 'A', value: '1' },
      { key: 'B', value: 'x,y' },
      { key: 'C', value: 'a#b' },
      { key: 'D', value: 'two words' },
      { key: 'LAST', value: '2' },
    ])
  })
  test('a backslash at the very end goes on into nothing', () =>
    expect(readLines('A=1\\').map(({ content }) => content)).toEqual(['A=1']))
})
