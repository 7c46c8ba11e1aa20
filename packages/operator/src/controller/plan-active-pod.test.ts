import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aPod, type PodTraits } from './gen.ts'
import { planActivePod } from './plan-active-pod.ts'

const accidents: readonly {
  readonly name: string
  readonly pods: readonly PodTraits[]
  readonly host?: string
  readonly active: string | undefined
}[] = [
  { name: 'a fresh pair has two endpoints', pods: [{ ordinal: 0 }, { ordinal: 1 }], active: 'prod-controller-0' },
  {
    name: 'traffic goes to the primary although the backup is in charge',
    pods: [{ ordinal: 0 }, { ordinal: 1, marked: false }],
    host: 'prod-controller-1',
    active: 'prod-controller-1',
  },
  {
    name: 'a host with a domain is not recognized',
    pods: [{ ordinal: 0 }, { ordinal: 1 }],
    host: 'prod-controller-1.prod-controller-internal.hpc',
    active: 'prod-controller-1',
  },
  {
    name: 'a host of former times takes the mark from everybody',
    pods: [{ ordinal: 0 }],
    host: 'elsewhere',
    active: 'prod-controller-0',
  },
  {
    name: 'a silent Slurm takes the mark from the one that works',
    pods: [{ ordinal: 0, marked: false }, { ordinal: 1 }],
    active: 'prod-controller-1',
  },
  {
    name: 'a dead primary keeps the traffic',
    pods: [
      { ordinal: 0, ready: false },
      { ordinal: 1, marked: false },
    ],
    active: 'prod-controller-1',
  },
  {
    name: 'nobody is ready, so nobody can be reached at first',
    pods: [{ ordinal: 0, ready: false, marked: false }],
    active: 'prod-controller-0',
  },
  {
    name: 'a pod that ends gets the mark',
    pods: [
      { ordinal: 0, leaving: true },
      { ordinal: 1, marked: false },
    ],
    active: 'prod-controller-1',
  },
  { name: 'no pods, and it throws', pods: [], active: undefined },
  {
    name: 'ordinal 10 comes before 9',
    pods: [
      { ordinal: 10, marked: false },
      { ordinal: 9, marked: false },
    ],
    active: 'prod-controller-9',
  },
]

describe('who is in charge', () => {
  test.each(accidents)('$name', ({ pods, host, active }) => {
    expect(planActivePod(pods.map(aPod), host).active).toBe(active)
  })
})

const anyPod = fc.record({ ready: fc.boolean(), marked: fc.boolean(), leaving: fc.boolean() })

test('after the plan exactly one pod that stays has the mark, and a second plan does nothing', () => {
  fc.assert(
    fc.property(fc.array(anyPod, { maxLength: 4 }), fc.option(fc.integer({ min: 0, max: 5 })), (traits, active) => {
      const host = active === null ? undefined : `prod-controller-${active}`
      const pods = traits.map((each, ordinal) => aPod({ ...each, ordinal }))
      const { mark, unmark } = planActivePod(pods, host)
      const after = pods.map((pod, ordinal) => {
        const { name } = pod.metadata
        const wasMarked = traits[ordinal]?.marked ?? false
        return aPod({
          ...traits[ordinal],
          ordinal,
          marked: (wasMarked || mark.includes(name)) && !unmark.includes(name),
        })
      })
      const staying = after.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      const marked = staying.filter(
        ({ metadata }) => metadata.labels?.['controller.slinky.slurm.net/active'] === 'true',
      )
      expect(marked).toHaveLength(Math.min(1, staying.length))
      expect(planActivePod(after, host)).toMatchObject({ mark: [], unmark: [] })
    }),
  )
})
