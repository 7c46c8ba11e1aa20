import { describe, expect, test } from 'vitest'
import { aPod, aStatefulSet, NOW, type PodTraits } from './gen.ts'
import { planBrokenPods } from './plan-broken-pods.ts'

const LOST_STATE = 'fatal: No Assoc usage file (/var/spool/slurmctld/x/assoc_usage) to recover'

const accidents: readonly {
  readonly name: string
  readonly pod: PodTraits
  readonly status?: object
  readonly deleted: boolean
}[] = [
  {
    name: 'a corrected slurm.conf never reaches a pod that crashes',
    pod: { ready: false, revision: 'old' },
    deleted: true,
  },
  { name: 'a working slurmctld is deleted beside the rollout', pod: { revision: 'old' }, deleted: false },
  { name: 'a pod of the newest template is deleted while it starts', pod: { ready: false }, deleted: false },
  { name: 'a pod is deleted twice', pod: { ready: false, revision: 'old', leaving: true }, deleted: false },
  {
    name: 'revisions of a template that nobody has seen are believed',
    pod: { ready: false, revision: 'old' },
    status: { observedGeneration: 0 },
    deleted: false,
  },
  { name: 'a state that was never saved stays lost', pod: { ready: false, lastWords: LOST_STATE }, deleted: true },
  {
    name: 'a pod that cannot be repaired is deleted again and again without a pause',
    pod: { ready: false, lastWords: LOST_STATE, createdAt: '2026-06-01T11:59:30Z' },
    deleted: false,
  },
  {
    name: 'any other crash is answered by a deletion',
    pod: { ready: false, lastWords: 'fatal: out of memory' },
    deleted: false,
  },
]

const toldAt = (time: string) => ({
  'slinky.slurm.net/slurm-config-hash': 'new',
  'slinky.slurm.net/slurm-config-told-at': time,
})

const corrected: typeof accidents = [
  {
    name: 'a corrected configuration waits five minutes for the kubelet',
    pod: { ready: false, lastWords: 'x', repeated: true, annotations: toldAt('2026-06-01T11:00:00Z') },
    deleted: true,
  },
  {
    name: 'a pod that has tried the newest configuration is deleted in a circle',
    pod: {
      ready: false,
      lastWords: 'x',
      repeated: true,
      endedAt: '2026-06-01T11:30:00Z',
      annotations: toldAt('2026-06-01T11:00:00Z'),
    },
    deleted: false,
  },
]

describe('pods that a StatefulSet does not replace', () => {
  test.each([...accidents, ...corrected])('$name', ({ pod, status, deleted }) => {
    expect(planBrokenPods(aStatefulSet(status), [aPod(pod)], NOW)).toHaveLength(deleted ? 1 : 0)
  })

  test('a template without the container that repairs makes one broken pod after the other', () => {
    const { spec, ...rest } = aStatefulSet()
    const bare = { ...rest, spec: { ...spec, template: {} } } as unknown as ReturnType<typeof aStatefulSet>
    expect(planBrokenPods(bare, [aPod({ ready: false, lastWords: LOST_STATE })], NOW)).toEqual([])
  })

  test('there is no StatefulSet', () => expect(planBrokenPods(undefined, [aPod()], NOW)).toEqual([]))
})
