import { describe, expect, test } from 'vitest'
import { recorded } from '../model/gen.ts'
import { expandHostlist, HostlistError, LARGEST_RANGE, readHostlist } from './expand.ts'

describe('as scontrol show hostnames answers', () => {
  const table: readonly [text: string, names: string][] = [
    ['gpu-[001-003,7,10-12]', 'gpu-001 gpu-002 gpu-003 gpu-7 gpu-10 gpu-11 gpu-12'],
    ['r[1-2]n[01-02]x', 'r1n01x r1n02x r2n01x r2n02x'],
    ['a[1-2][1-2]', 'a11 a12 a21 a22'],
    ['a[1-2]b[3-4]c', 'a1b3c a1b4c a2b3c a2b4c'],
    ['a[1-3]5', 'a15 a25 a35'],
    ['a1[2-3]4', 'a124 a134'],
    ['[1-3]', '1 2 3'],
    ['123', '123'],
    ['1[1-2]', '11 12'],
    ['a[08-11]', 'a08 a09 a10 a11'],
    ['a[8-011]', 'a8 a9 a10 a11'],
    ['a[008-11]', 'a008 a009 a010 a011'],
    ['a[98-101]', 'a98 a99 a100 a101'],
    ['a[098-101]', 'a098 a099 a100 a101'],
    ['a[00]', 'a00'],
    ['a[0-00]', 'a0'],
    ['a[1-2,2-3]', 'a1 a2 a2 a3'],
    ['a1,a1,a2', 'a1 a1 a2'],
    ['a,,b', 'a b'],
    ['a[1-2],', 'a1 a2'],
    [' a , b\tc\nd ', 'a b c d'],
    ['a.b-c_d[1-2].example.com', 'a.b-c_d1.example.com a.b-c_d2.example.com'],
    ['a(1-2)', 'a(1-2)'],
    ['', ''],
    [',', ''],
  ]
  for (const [text, names] of table) test(`"${text}"`, () => expect(expandHostlist(text).join(' ')).toBe(names))

  test('the recorded answer of slurmrestd', () => {
    const { request, response } = recorded('util-hostnames')
    const { hostlist } = request.body as { hostlist: string }
    expect(expandHostlist(hostlist)).toEqual((response.body as { hostnames: string[] }).hostnames)
  })
})

describe('what is no hostlist is said, not guessed', () => {
  const table: readonly [text: string, because: string][] = [
    ['a[3-1]', '"3-1" ends before it begins'],
    ['a[3-2]', '"3-2" ends before it begins'],
    ['a[1-3', 'a bracket is never closed'],
    ['a1-3]', 'a bracket is never opened'],
    ['a[1,,2]', '"" is no number and no range of numbers'],
    ['a[]', '"" is no number and no range of numbers'],
    ['a[x]', '"x" is no number'],
    ['a[ 1 - 2 ]', '" 1 - 2 " is no number'],
    ['a[1--2]', '"1--2" is no number'],
    ['a[-2]', '"-2" is no number'],
    ['a[1-]', '"1-" is no number'], // Slurm reads a1
    ['a[[1-2]]', '"[1-2" is no number'], // Slurm reads a[1] and a[2], which are no names
    ['a[1-10:2]', '"1-10:2" is no number'],
    ['a[1-65537]', 'longer than the 65536 that Slurm accepts'],
    ['a[1-99999999999999999999]', 'has a number that is too large'],
  ]
  for (const [text, because] of table) {
    test(`"${text}"`, () => {
      expect(() => expandHostlist(text)).toThrow(HostlistError)
      expect(readHostlist(text)).toEqual({ kind: 'unreadable', because: expect.stringContaining(because) as unknown })
    })
  }
})

describe('a typing error does not cost the memory of the process', () => {
  test('the largest range of Slurm is still read', () => {
    expect(expandHostlist(`a[1-${LARGEST_RANGE}]`)).toHaveLength(LARGEST_RANGE)
  })
  for (const text of [
    'a[1-60000][1-60000]',
    `a[${'1-65536,'.repeat(1000)}1]`,
    'a[1-2]'.repeat(100),
    'a '.repeat(300_000),
    'r[0-9][0-9][0-9][0-9][0-9][0-9]',
  ]) {
    test(`${text.slice(0, 30)}… has too many names`, () => {
      expect(() => expandHostlist(text)).toThrow(/it has more than 262144 names/)
    })
  }
  test('the limit can be lower, and the message stays short', () => {
    expect(() => expandHostlist('a[1-10]', 9)).toThrow('Cannot expand "a[1-10]": it has more than 9 names.')
    expect(expandHostlist('a[1-10]', 10)).toHaveLength(10)
    const reading = readHostlist(`b[1-20],${'x'.repeat(5000)}`, 10)
    expect(reading.kind === 'unreadable' && reading.because.length).toBeLessThan(200)
  })
})
