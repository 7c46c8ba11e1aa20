import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseOldImages } from './choose-old-images.ts'

const image = (number: number) => ({ name: `s${number.toString(16).padStart(12, '0')}`, usedAtMs: number })

describe('removing old images prevents that', () => {
  test('every change of the sources takes another 130 MB for ever', () => {
    const all = [3, 9, 1, 7, 5, 2, 8].map(image)
    expect(chooseOldImages(all)).toEqual([2, 1].map((number) => image(number).name))
  })

  test('something goes that somebody else has put there', () => {
    const names = ['slurm-operator-images.tar', 'layers-x', 's123', 'S0123456789ab', 'mine']
    expect(chooseOldImages(names.map((name) => ({ name, usedAtMs: 0 })))).toEqual([])
  })

  test('one that was just made goes, or too many stay', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(1000), { minLength: 1 }), (numbers) => {
        const gone = chooseOldImages(numbers.map(image))
        expect(gone).not.toContain(image(Math.max(...numbers)).name)
        expect(numbers.length - gone.length).toBe(Math.min(numbers.length, 5))
      }),
    )
  })
})
