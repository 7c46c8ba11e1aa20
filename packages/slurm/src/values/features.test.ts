import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFeatures, replaceFeatures, sameFeatures } from './features.ts'

const anyFeature = fc.constantFrom('gpu', 'k8s/zone=a', 'k8s/zone=b', 'k8s/x', 'ib', ' gpu ')
const anyFeatures = fc.array(anyFeature, { maxLength: 6 })

describe('features', () => {
  test('are read without blanks and repetitions', () => {
    expect(readFeatures(' gpu, ,ib,gpu,zone=a ')).toEqual(['gpu', 'ib', 'zone=a'])
    expect(readFeatures('')).toEqual([])
  })

  test('in another order are not a change that must be written', () => {
    expect(sameFeatures(['a', 'b'], ['b', 'a', 'a'])).toBe(true)
    expect(sameFeatures(['a'], ['a', 'b'])).toBe(false)
    expect(sameFeatures(['a', 'b'], ['a'])).toBe(false)
  })

  test('of others survive when ours are replaced', () => {
    expect(replaceFeatures(['gpu', 'k8s/old', 'ib'], 'k8s/', ['b', 'a'])).toEqual(['gpu', 'ib', 'k8s/a', 'k8s/b'])
    expect(replaceFeatures(['gpu', 'k8s/old'], 'k8s/', [])).toEqual(['gpu'])
  })

  test('replaced twice are the same as replaced once, and only those with the prefix ever change', () => {
    fc.assert(
      fc.property(anyFeatures, fc.array(fc.constantFrom('x', 'y', 'zone=a')), (current, wanted) => {
        const once = replaceFeatures(current, 'k8s/', wanted)
        expect(replaceFeatures(once, 'k8s/', wanted)).toEqual(once)
        const foreign = (features: readonly string[]) => features.filter((feature) => !feature.startsWith('k8s/'))
        expect(sameFeatures(foreign(once), foreign(current.map((feature) => feature.trim())))).toBe(true)
        expect(once.filter((feature) => feature.startsWith('k8s/')).sort()).toEqual(
          [...new Set(wanted.map((feature) => `k8s/${feature}`))].sort(),
        )
      }),
    )
  })
})
