import type { NodeSet } from '@slurm-operator/api'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { objectOf } from './gen.ts'
import { findSharedHostnames } from './hostname-rules.ts'

/** Whose workers are called so, with so many digits, and how many there are. */
interface Naming {
  readonly hostname?: string
  readonly padding?: number
  readonly replicas?: number
  readonly mode?: 'DaemonSet'
}

function aNodeSet(name: string, { hostname, padding = 0, replicas = 1, mode }: Naming): NodeSet {
  const template = { spec: { ...(hostname !== undefined && { hostname }) } }
  const spec = { template, ordinalPadding: padding, replicas, ...(mode && { scalingMode: mode }) }
  return objectOf('NodeSet', spec, { name }) as unknown as NodeSet
}

const judge = (one: Naming, other: Naming) => findSharedHostnames(aNodeSet('one', one), [aNodeSet('two', other)])

describe('two NodeSets are the same Slurm nodes', () => {
  test.each<[string, Naming, Naming, string]>([
    ['from the first worker on', { hostname: 'two-', replicas: 0 }, {}, 'two-0'],
    [
      'though one pads its numbers',
      { hostname: 'w', replicas: 11 },
      { hostname: 'w', padding: 2, replicas: 11 },
      'w10',
    ],
    ['though one name is longer', { hostname: 'w', replicas: 11 }, { hostname: 'w1' }, 'w10'],
    ['and the longer name is the new one', { hostname: 'w1' }, { hostname: 'w', replicas: 11 }, 'w10'],
    ['by a name that was not chosen', { hostname: 'two-1' }, { replicas: 11 }, 'two-10'],
  ])('WP-36: %s', (_name, one, other, shared) => {
    expect(judge(one, other)).toMatchObject([{ severity: 'error', problem: expect.stringContaining(`"${shared}"`) }])
  })

  test.each<[string, Naming, Naming]>([
    ['when they have more workers', { hostname: 'w', replicas: 10 }, { hostname: 'w1' }],
    ['when both have more', { hostname: 'w', replicas: 99 }, { hostname: 'w', padding: 2, replicas: 10 }],
  ])('WP-36: %s, and nobody hears of it before', (_name, one, other) => {
    expect(judge(one, other)).toMatchObject([{ severity: 'warning', problem: expect.stringContaining('"w10"') }])
  })

  test.each<[string, Naming, Naming]>([
    ['with other names', { hostname: 'a' }, { hostname: 'b' }],
    ['with a name that goes on after a number', { hostname: 'w' }, { hostname: 'w1-' }],
    ['with a zero that no number begins with', { hostname: 'w' }, { hostname: 'w0' }],
    ['named after Kube nodes', { hostname: 'w' }, { hostname: 'w', mode: 'DaemonSet' }],
  ])('two are refused that never share one: %s', (_name, one, other) => {
    expect(judge(one, other)).toEqual([])
  })
})

test('two that share a host name among their workers are not refused, or two that do not', () => {
  const anyNaming = fc.record({
    hostname: fc.constantFrom('w', 'w', 'w0', 'w1', 'w10', 'w2-', 'v'),
    padding: fc.integer({ min: 0, max: 4 }),
    replicas: fc.integer({ min: 1, max: 130 }),
  })
  const namesOf = ({ hostname, padding, replicas }: Required<Omit<Naming, 'mode'>>) =>
    Array.from({ length: replicas }, (_, ordinal) => `${hostname}${String(ordinal).padStart(padding, '0')}`)
  fc.assert(
    fc.property(anyNaming, anyNaming, (one, other) => {
      const names = new Set(namesOf(one))
      const isShared = namesOf(other).some((name) => names.has(name))
      expect(judge(one, other).some(({ severity }) => severity === 'error')).toBe(isShared)
    }),
  )
})
