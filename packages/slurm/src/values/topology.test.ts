import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTopology, sameTopology, writeTopology } from './topology.ts'

describe('topology', () => {
  test('is one place per topology', () => {
    expect(readTopology('tree:rack-1:leaf-2, blocks:b7')).toEqual([
      { topology: 'tree', path: ['rack-1', 'leaf-2'] },
      { topology: 'blocks', path: ['b7'] },
    ])
  })

  test('may be none at all', () => {
    expect(readTopology('')).toEqual([])
    expect(readTopology(' ,, :x')).toEqual([])
  })

  test('in another order is not a change that must be written', () => {
    expect(sameTopology('tree:leaf-2,blocks:b7', 'blocks:b7, tree:leaf-2')).toBe(true)
    expect(sameTopology('tree:leaf-2', 'tree:leaf-3')).toBe(false)
    expect(sameTopology('tree:leaf-2', '')).toBe(false)
  })

  test('is written as it was read', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,5}$/)
    const place = fc.record({ topology: word, path: fc.array(word, { maxLength: 3 }) })
    fc.assert(
      fc.property(fc.array(place, { maxLength: 4 }), (places) => {
        expect(readTopology(writeTopology(places))).toEqual(places)
      }),
    )
  })
})
