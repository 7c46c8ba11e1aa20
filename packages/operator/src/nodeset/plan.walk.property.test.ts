import { annotationKeys } from '@slurm-operator/api'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { incidents, startWalk, walkOn, type Incident, type Walk } from './gen-walk.ts'
import { inShort } from './gen.ts'

const anyIncident: fc.Arbitrary<Incident> = fc.record({
  what: fc.constantFrom(...incidents),
  which: fc.nat(9),
  isListed: fc.boolean(),
})
const anyStory = fc.record({
  replicas: fc.integer({ min: 1, max: 4 }),
  max: fc.constantFrom(1, 2, '50%'),
  story: fc.array(anyIncident, { minLength: 20, maxLength: 60 }),
})

/** The same incident again and again, with a list of Slurm nodes each time. */
function calm(start: Walk, what: Incident['what'], ticks: number): Walk {
  return Array.from({ length: ticks }).reduce<Walk>(
    (walk, _, which) => walkOn(walk, { what, which, isListed: true }).walk,
    start,
  )
}

test('no job is ended by us, whatever happens and however late we hear of it', () => {
  fc.assert(
    fc.property(anyStory, ({ replicas, max, story }) => {
      let walk = startWalk(replicas, max)
      for (const incident of story) walk = walkOn(walk, incident).walk
      expect(walk.lost).toEqual([])
    }),
    { numRuns: 300 },
  )
})

test('when the excitement is over everything is as wanted, in service, and quiet', () => {
  fc.assert(
    fc.property(anyStory, ({ replicas, max, story }) => {
      let walk = startWalk(replicas, max)
      for (const incident of story) walk = walkOn(walk, incident).walk
      walk = calm(calm(calm(walk, 'answer', 2), 'end-job', 12), 'uncordon', 12)
      const isCordoned = walk.truth.workers.some(({ annotations }) => annotationKeys.podCordon in annotations)
      walk = calm(walk, isCordoned ? 'end-job' : 'nothing', 60)
      const { plan } = walkOn(walk, { what: 'nothing', which: 0, isListed: true })
      expect([inShort(plan), plan.waits]).toEqual([[], []])
      const { workers, wanted, kubeNodes } = walk.truth
      const kept = workers.filter(({ nodeName, annotations }) => {
        const isHeld = kubeNodes.get(nodeName)?.unschedulable === true || annotationKeys.podCordon in annotations
        return !isHeld
      })
      const states = kept.map(({ slurmNode }) => (slurmNode.kind === 'seen' ? slurmNode.value.states : []))
      expect(states).toEqual(kept.map(() => ['IDLE']))
      expect(workers.map(({ revisionHash }) => revisionHash)).toEqual(Array(wanted.replicas).fill(plan.revisionHash))
    }),
    { numRuns: 100 },
  )
})
