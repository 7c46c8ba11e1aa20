import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeyedHeap } from './keyed-heap.ts'

test('a heap that loses or doubles a key, or its order, whatever is put in and taken out', () => {
  const anyStep = fc.record({
    key: fc.constantFrom(...'a b c d e f g h i j k l'.split(' ')),
    rank: fc.option(fc.nat(6)),
  })
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
      const heap = new KeyedHeap()
      const plain = new Map<string, readonly [number, number]>()
      steps.forEach(({ key, rank }, sequence) => {
        if (rank === null) heap.remove(key)
        else heap.set(key, rank, sequence)
        plain.delete(key)
        if (rank !== null) plain.set(key, [rank, sequence])
        expect(heap.size).toBe(plain.size)
      })
      const order = [...plain].toSorted(([, a], [, b]) => a[0] - b[0] || a[1] - b[1]).map(([key]) => key)
      const seen = order.map(() => {
        const { key = '' } = heap.peek() ?? {}
        heap.remove(key)
        return key
      })
      expect(seen).toEqual(order)
    }),
    { numRuns: 2_000 },
  )
})
