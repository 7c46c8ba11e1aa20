import { printTime } from '@slurm-operator/kube'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aPod, NOW, type PodTraits } from './gen.ts'
import { mustAskAnew, planActivePod } from './plan-active-pod.ts'

const accidents: readonly {
  readonly name: string
  readonly pods: readonly PodTraits[]
  readonly host?: string
  readonly silent?: readonly string[]
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
  {
    name: 'a primary that starts anew keeps the traffic because Slurm named it before',
    pods: [
      { ordinal: 0, ready: false },
      { ordinal: 1, marked: false },
    ],
    host: 'prod-controller-0',
    active: 'prod-controller-1',
  },
  {
    name: 'a primary on a lost Kube node keeps the traffic until Kubernetes notices',
    pods: [{ ordinal: 0 }, { ordinal: 1, marked: false }],
    silent: ['prod-controller-0'],
    active: 'prod-controller-1',
  },
  {
    name: 'all are silent, and the mark wanders',
    pods: [{ ordinal: 0, marked: false }, { ordinal: 1 }],
    silent: ['prod-controller-0', 'prod-controller-1'],
    active: 'prod-controller-1',
  },
  {
    name: 'one that was silent and is in charge again is left aside',
    pods: [{ ordinal: 0, marked: false }, { ordinal: 1 }],
    host: 'prod-controller-0',
    silent: ['prod-controller-0'],
    active: 'prod-controller-0',
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
  test.each(accidents)('$name', ({ pods, host, silent = [], active }) => {
    expect(planActivePod(pods.map(aPod), { active: host, silent }).active).toBe(active)
  })
})

describe('Slurm is asked anew, or', () => {
  const heard = (pingedAtMs: number, state: 'reachable' | 'unreachable' = 'reachable', isBackupThere = true) => ({
    state,
    controllers: [0, 1].map((each) => ({
      ...{ hostname: `prod-controller-${each}`, pingedAtMs },
      responding: state === 'reachable' || (isBackupThere && each === 1),
    })),
  })
  const time = (seconds: number) => ({ ms: NOW - seconds * 1000, text: printTime(NOW - seconds * 1000) })
  const pair = (traits: PodTraits) => [aPod(traits), aPod({ ordinal: 1 })]
  const recently = time(3).text

  test.each([
    { name: 'a primary is back, and nobody knows', pods: pair({ readySince: recently }), heard: heard(time(4).ms) },
    {
      name: 'a primary is gone, and nobody knows',
      pods: pair({ ready: false, readySince: recently }),
      heard: heard(time(4).ms),
    },
    { name: 'a new pod is not heard of', pods: pair({ ready: false, createdAt: recently }), heard: heard(time(4).ms) },
    { name: 'a take-over is noticed late', pods: pair({ ready: false }), heard: heard(time(6).ms, 'unreachable') },
    {
      name: 'Slurm is asked every second',
      pods: pair({ ready: false }),
      heard: heard(time(4).ms, 'unreachable'),
      isAsked: false,
    },
    {
      name: 'a Slurm that is away altogether is asked without end',
      pods: pair({ ready: false }),
      heard: heard(time(60).ms, 'unreachable', false),
      isAsked: false,
    },
    { name: 'Slurm is asked at rest', pods: pair({ readySince: recently }), heard: heard(time(2).ms), isAsked: false },
  ])('$name', ({ pods, heard: known, isAsked = true }) => {
    expect(mustAskAnew(pods, known, NOW)).toBe(isAsked)
    expect(mustAskAnew(pods.slice(0, 1), { ...known, controllers: known.controllers.slice(0, 1) }, NOW)).toBe(false)
  })
})

const anyPod = fc.record({ ready: fc.boolean(), marked: fc.boolean(), leaving: fc.boolean() })

const anyHost = fc.integer({ min: 0, max: 5 }).map((ordinal) => `prod-controller-${ordinal}`)
const anySaid = fc.record({ active: fc.option(anyHost, { nil: undefined }), silent: fc.array(anyHost) })

test('after the plan exactly one pod that stays has the mark, and a second plan does nothing', () => {
  fc.assert(
    fc.property(fc.array(anyPod, { maxLength: 4 }), anySaid, (traits, said) => {
      const pods = traits.map((each, ordinal) => aPod({ ...each, ordinal }))
      const { mark, unmark } = planActivePod(pods, said)
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
      expect(planActivePod(after, said)).toMatchObject({ mark: [], unmark: [] })
    }),
  )
})
