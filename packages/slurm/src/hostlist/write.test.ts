import { describe, expect, test } from 'vitest'
import { recorded } from '../model/gen.ts'
import { expandHostlist } from './expand.ts'
import { normalizeHostlist, sameHosts, sortHostNames, writeHostlist, writeSortedHostlist } from './write.ts'

describe('as scontrol show hostlist and hostlistsorted answer', () => {
  const table: readonly [names: string, list: string, sorted: string][] = [
    ['a1 a2 a3', 'a[1-3]', 'a[1-3]'],
    ['a3 a2 a1', 'a[3,2,1]', 'a[1-3]'],
    ['a1 b1 a2', 'a1,b1,a2', 'a[1-2],b1'],
    ['a1 a3 a5 a6', 'a[1,3,5-6]', 'a[1,3,5-6]'],
    ['a09 a10 a11', 'a[09-11]', 'a[09-11]'],
    ['a9 a10 a11', 'a[9-11]', 'a[9-11]'],
    ['a09 a10 a011', 'a[09-10,011]', 'a[09-10,011]'],
    ['a099 a100 a101', 'a[099-101]', 'a[099-101]'],
    ['a99 a100', 'a[99-100]', 'a[99-100]'],
    ['a009 a10', 'a[009,10]', 'a[10,009]'],
    ['a1x a2x a3x', 'a1x,a2x,a3x', 'a1x,a2x,a3x'],
    ['r1n1 r1n2 r2n1 r2n2', 'r1n[1-2],r2n[1-2]', 'r1n[1-2],r2n[1-2]'],
    ['1 2 3', '[1-3]', '[1-3]'],
    ['a', 'a', 'a'],
    ['a1 a', 'a1,a', 'a,a1'],
    ['x1 x01 x001 x2 x02 x002', 'x[1,01,001,2,02,002]', 'x[1-2,01-02,001-002]'],
    ['a0 a00 a000', 'a[0,00,000]', 'a[0,00,000]'],
    ['Z1 a1 B1', 'Z1,a1,B1', 'B1,Z1,a1'],
    ['a-1 a1 a_1 a', 'a-1,a1,a_1,a', 'a,a1,a-1,a_1'],
    ['n10x n9x n05x', 'n10x,n9x,n05x', 'n05x,n9x,n10x'],
    [
      'n000000000000000000001 n000000000000000000002',
      'n[000000000000000000001-000000000000000000002]',
      'n[000000000000000000001-000000000000000000002]',
    ],
  ]
  for (const [names, list, sorted] of table) {
    test(names, () => {
      expect(writeHostlist(names.split(' '))).toBe(list)
      expect(writeSortedHostlist(names.split(' '))).toBe(sorted)
    })
  }

  test('a name that is there twice is listed twice, and once in a set', () => {
    expect(writeHostlist(['a1', 'a1', 'a2', 'b', 'b'])).toBe('a[1,1-2],b,b')
    expect(writeSortedHostlist(['a1', 'a1', 'a2', 'b', 'b'])).toBe('a[1-2],b')
  })

  test('nothing is nothing', () => expect(writeHostlist([])).toBe(''))

  test('the recorded answer of slurmrestd', () => {
    const { request, response } = recorded('util-hostlist')
    const { hostnames } = request.body as { hostnames: string[] }
    expect(writeHostlist(hostnames)).toBe((response.body as { hostlist: string }).hostlist)
  })
})

test('numbers too large for exact arithmetic stay whole instead of becoming other names', () => {
  const names = ['n9007199254740993', 'n9007199254740994', 'n99999999999999999999']
  expect(expandHostlist(writeSortedHostlist(names))).toEqual(names)
})

test('no range is written that Slurm would refuse to read', () => {
  const names = Array.from({ length: 70_000 }, (_, index) => `n${index}`)
  expect(writeHostlist(names)).toBe('n[0-65535,65536-69999]')
})

for (const name of ['', 'a,b', 'a b', 'a[1]', 'a\n']) {
  test(`"${name}" is refused: it would come back as something else`, () => {
    expect(() => writeHostlist(['ok', name])).toThrow(/is no host name/)
    expect(() => writeSortedHostlist(['ok', name])).toThrow(/is no host name/)
  })
}

describe('two texts for the same hosts are no reason to update a reservation', () => {
  test('they are the same', () => {
    expect(sameHosts('a[1-3],b', 'b,a2,a[1,3],a1')).toBe(true)
    expect(sameHosts('', '')).toBe(true)
    expect(normalizeHostlist('a3,a[1-2],a1,b')).toBe('a[1-3],b')
  })
  test('others are not, and neither is what cannot be read', () => {
    expect(sameHosts('a[1-3]', 'a[1-2]')).toBe(false)
    expect(sameHosts('a[1-2]', 'a[1-3]')).toBe(false)
    expect(sameHosts('a[1-', 'a[1-')).toBe(false)
  })
})

test('nodes are shown in the order people count in', () => {
  expect(sortHostNames(['n10', 'n9', 'n', 'm-2', 'n1'])).toEqual(['m-2', 'n', 'n1', 'n9', 'n10'])
})
