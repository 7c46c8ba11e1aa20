import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expandHostlist, readHostlist } from './expand.ts'
import { anyHostlist, anyHostNames } from './gen.ts'
import { normalizeHostlist, sameHosts, sortHostNames, writeHostlist, writeSortedHostlist } from './write.ts'

test('names that are written are read back: all of them, in order, repetitions included', () => {
  fc.assert(
    fc.property(anyHostNames, (names) => {
      expect(expandHostlist(writeHostlist(names))).toEqual(names)
    }),
    { numRuns: 1000 },
  )
})

test('a set has one text, whatever the order of its names', () => {
  fc.assert(
    fc.property(
      anyHostNames.chain((names) =>
        fc.tuple(fc.constant(names), fc.shuffledSubarray(names, { minLength: names.length })),
      ),
      ([names, shuffled]) => {
        const text = writeSortedHostlist(names)
        expect(writeSortedHostlist(shuffled)).toBe(text)
        expect(new Set(expandHostlist(text))).toEqual(new Set(names))
        expect(expandHostlist(text)).toEqual(sortHostNames(new Set(names)))
      },
    ),
    { numRuns: 1000 },
  )
})

test('normalizing keeps the hosts, and normalizing again changes nothing', () => {
  fc.assert(
    fc.property(anyHostlist, (text) => {
      const normal = normalizeHostlist(text)
      expect(sameHosts(text, normal)).toBe(true)
      expect(normalizeHostlist(normal)).toBe(normal)
    }),
  )
})

test('a list of lists is the names of each, one after the other', () => {
  fc.assert(
    fc.property(anyHostlist, anyHostlist, (one, other) => {
      expect(expandHostlist(`${one},${other}`)).toEqual([...expandHostlist(one), ...expandHostlist(other)])
    }),
  )
})

test('any text is names or a reason, never an exception, and names never hold what separates them', () => {
  const noise = fc.string({ unit: fc.constantFrom('a', '1', '0', '-', ',', '[', ']', ' ', '\n', 'é'), maxLength: 30 })
  fc.assert(
    fc.property(fc.oneof(noise, fc.string()), (text) => {
      const reading = readHostlist(text, 1000)
      const names = reading.kind === 'names' ? reading.names : []
      expect(names.filter((name) => name === '' || /[\s,[\]]/.test(name))).toEqual([])
      expect(reading.kind === 'unreadable' ? reading.because : 'Cannot.').toMatch(/^Cannot.*\.$/s)
    }),
    { numRuns: 2000 },
  )
})

test('10,000 names cost milliseconds', () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `gpu-${String((index * 7919) % 10_000).padStart(5, '0')}`)
  const startMs = performance.now()
  for (let round = 0; round < 5; round++) {
    expect(writeSortedHostlist(names)).toBe('gpu-[00000-09999]')
    expect(expandHostlist('gpu-[00000-09999]')).toHaveLength(10_000)
    expect(expandHostlist(writeHostlist(names))).toHaveLength(10_000)
  }
  expect((performance.now() - startMs) / 5).toBeLessThan(250) // about 15 on an idle machine; a square would be seconds
})
