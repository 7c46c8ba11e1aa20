import { annotationKeys } from '@slurm-operator/api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printTime } from '@slurm-operator/kube'
import { unknown } from '@slurm-operator/slurm'
import { aPendingWorker, aWorker, NEW_HASH, NOW, ourCordon, slurmSays } from './gen.ts'
import type { Worker } from './picture.ts'
import { findSurplus } from './plan-scale.ts'
import { rankForRemoval } from './rank.ts'

const HOUR = 3600_000
const names = (workers: readonly Worker[]): string[] => workers.map(({ pod }) => pod)
const rank = (workers: readonly Worker[]): string[] => names(rankForRemoval(workers, NEW_HASH))
const jobs = unknown<never>('not-listed-yet') // then the annotation counts

const cost = (text: string): Record<string, string> => ({ [annotationKeys.podDeletionCost]: text })
const deadline = (inMs: number): Record<string, string> => ({ [annotationKeys.podDeadline]: printTime(NOW + inMs) })
const cordoned = { [annotationKeys.podCordon]: 'true' }
const noted = (pod: string, annotations: Record<string, string>): Worker => aWorker(pod, { annotations, jobs })

const orders: readonly { id: string; name: string; inOrder: readonly Worker[] }[] = [
  {
    id: 'NS-274',
    name: 'a worker in service leaves although one without a place could',
    inOrder: [
      aPendingWorker('foo-0', { nodeName: '' }),
      aPendingWorker('foo-1'),
      aWorker('foo-2', { phase: 'Unknown', readySinceMs: undefined }),
      aWorker('foo-3', { readySinceMs: undefined }),
      aWorker('foo-4'),
    ],
  },
  {
    id: 'NS-275',
    name: 'the deletion cost that a user gave is ignored',
    inOrder: [noted('foo-0', cost('-10')), noted('foo-1', {}), noted('foo-2', cost('10'))],
  },
  {
    id: 'NS-276',
    name: 'long jobs are waited for although idle workers could leave',
    inOrder: [
      noted('foo-0', {}),
      noted('foo-1', deadline(-HOUR)),
      noted('foo-2', deadline(0)),
      noted('foo-3', deadline(HOUR)),
    ],
  },
  {
    id: 'NS-277',
    name: 'a cordoned worker outlives one in service',
    inOrder: [noted('foo-0', cordoned), noted('foo-1', {})],
  },
  { id: 'NS-278', name: 'numbers get gaps', inOrder: [aWorker('foo-2'), aWorker('foo-1'), aWorker('foo-0')] },
  { id: 'NS-279', name: 'cordoned numbers get gaps', inOrder: [noted('foo-1', cordoned), noted('foo-0', cordoned)] },
  {
    id: 'NS-280',
    name: 'foo-9 leaves before foo-100',
    inOrder: [aWorker('foo-100'), aWorker('foo-10'), aWorker('foo-9')],
  },
  {
    id: 'NS-281',
    name: 'the longest-serving worker leaves first',
    inOrder: [
      aWorker('foo-c', { readySinceMs: 'unset' }), // the last tie-break, by name, would say the opposite
      aWorker('foo-b', { readySinceMs: NOW }),
      aWorker('foo-a', { readySinceMs: NOW - 30 * 24 * HOUR }),
    ],
  },
  {
    id: 'NS-282',
    name: 'the oldest worker leaves first',
    inOrder: [aWorker('foo-b', { createdAtMs: NOW }), aWorker('foo-a', { createdAtMs: NOW - 30 * 24 * HOUR })],
  },
  {
    id: 'NS-283',
    name: 'the order of the criteria is another one',
    inOrder: [
      noted('foo-8', cost('-10')),
      noted('foo-7', cordoned),
      noted('foo-1', {}),
      noted('foo-0', {}),
      noted('foo-2', { ...cordoned, ...deadline(0) }),
      noted('foo-3', deadline(0)),
      noted('foo-4', { ...cordoned, ...deadline(HOUR) }),
      noted('foo-5', deadline(HOUR)),
      noted('foo-6', cost('1')),
      noted('foo-9', { ...cordoned, ...deadline(0), ...cost('100') }),
    ],
  },
  {
    id: 'NS-284',
    name: 'a cost that is no number decides',
    inOrder: [noted('foo-3', {}), noted('foo-2', cost('+5')), noted('foo-1', cost('007')), noted('foo-0', cost('x'))],
  },
  {
    id: 'NS-285',
    name: 'a cheap worker in service leaves before a dear broken one',
    inOrder: [
      aWorker('foo-0', { readySinceMs: undefined, annotations: cost('1000'), jobs }),
      noted('foo-1', cost('-1000')),
    ],
  },
  { id: 'NS-286', name: 'a failed pod is kept', inOrder: [aWorker('foo-0', { phase: 'Failed' }), aWorker('foo-1')] },
  {
    id: 'WP-28',
    name: 'a scale-in keeps old templates and a rollout replaces them just before',
    inOrder: [aWorker('foo-0', { revisionHash: 'old' }), aWorker('foo-1')],
  },
  {
    id: 'WP-29',
    name: 'the choice wanders to a worker whose job ends earlier',
    inOrder: [noted('foo-0', { ...ourCordon('ScaleIn'), ...deadline(HOUR) }), noted('foo-1', deadline(0))],
  },
  {
    id: 'WP-29',
    name: 'a busy condemned worker is waited for although another is idle',
    inOrder: [noted('foo-0', {}), noted('foo-1', { ...ourCordon('ScaleIn'), ...deadline(HOUR) })],
  },
  {
    id: 'WP-29',
    name: 'a worker whose job has just begun is chosen although another is idle',
    inOrder: [
      noted('foo-0', {}),
      noted('foo-1', deadline(HOUR)),
      aWorker('foo-2', { slurmNode: slurmSays(['MIXED']) }),
    ],
  },
  {
    id: 'WP-29',
    name: 'a condemned worker whose job has just begun is waited for although another is idle',
    inOrder: [
      noted('foo-0', {}),
      aWorker('foo-1', { slurmNode: slurmSays(['MIXED', 'DRAIN']), annotations: ourCordon('ScaleIn') }),
    ],
  },
  {
    id: 'WP-29',
    name: 'a worker chosen for scale-in is exchanged for one that is being updated',
    inOrder: [
      aWorker('foo-0', { jobs, annotations: ourCordon('ScaleIn') }),
      aWorker('foo-1', { jobs, annotations: ourCordon('Outdated'), revisionHash: 'old' }),
    ],
  },
]

test.each(orders)('$id: $name', ({ inOrder }) => {
  expect(rank([...inOrder].reverse())).toEqual(names(inOrder))
})

test('NS-287: the same workers in another order are ranked differently', () => {
  fc.assert(
    fc.property(fc.constantFrom(...orders), fc.infiniteStream(fc.nat()), ({ inOrder }, numbers) => {
      const shuffled = inOrder
        .map((worker) => ({ worker, key: numbers.next().value ?? 0 }))
        .sort((a, b) => a.key - b.key)
      expect(rank(shuffled.map(({ worker }) => worker))).toEqual(names(inOrder))
    }),
    { numRuns: 200 },
  )
})

test.each([
  [0, []],
  [1, ['foo-1']],
  [2, ['foo-1', 'foo-0']],
  [5, ['foo-1', 'foo-0']],
])('NS-288: of two workers %i are too many, and others leave, or more, or fewer', (surplus, leave) => {
  const two = [aWorker('foo-0'), aWorker('foo-1')]
  const leaving = findSurplus(two, two.length - surplus, NEW_HASH)
  expect(leaving.map(({ worker, reason }) => [worker.pod, reason])).toEqual(leave.map((pod) => [pod, 'ScaleIn']))
})
