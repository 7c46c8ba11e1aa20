import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyPicture } from './gen-any.ts'
import { carryOut, carryOutAtOnce } from './gen-world.ts'
import { laws } from './gen-laws.ts'
import { inShort, NEW_HASH, stepsThat } from './gen.ts'
import type { Picture } from './picture.ts'
import { planNodeSet } from './plan.ts'
import type { Plan, Step } from './steps.ts'

const MANY = { numRuns: 1000 }

function holds(what: (picture: Picture, plan: Plan) => void, runs = MANY): void {
  fc.assert(
    fc.property(anyPicture, (picture) => what(picture, planNodeSet(picture))),
    runs,
  )
}

describe('no picture', () => {
  for (const [accident, law] of Object.entries(laws))
    test(accident, () => {
      holds((picture, plan) => {
        expect(law(picture, plan)).toEqual([])
      })
    })
})

describe('a plan that was just carried out', () => {
  // Workers of the former scaling mode are told to leave one pass after the new ones were made.
  const changesMode = ({ workers, wanted }: Picture): boolean => workers.some(({ mode }) => mode !== wanted.scalingMode)
  const subjects = (plan: Plan, ...what: Step['do'][]): string[] =>
    plan.steps
      .filter((step) => what.includes(step.do))
      .map(
        (step) =>
          inShort({ steps: [step] })[0]
            ?.split(' ')
            .slice(1)
            .join(' ') ?? '',
      )

  test('is undone by the next one', () => {
    holds((picture, plan) => {
      if (changesMode(picture)) return
      const next = planNodeSet(carryOutAtOnce(plan, picture))
      const [drained, returned] = [subjects(plan, 'drain'), subjects(plan, 'undrain', 'resume')]
      expect(subjects(next, 'undrain', 'resume').filter((name) => drained.includes(name))).toEqual([])
      expect(subjects(next, 'drain', 'undrain', 'resume').filter((name) => returned.includes(name))).toEqual([])
      const created = subjects(plan, 'create-pod')
      expect(subjects(next, 'create-pod', 'delete-pod').filter((name) => created.includes(name))).toEqual([])
    })
  })

  test('asks for the same marks again, or takes them back', () => {
    const marks = (plan: Plan): string[] =>
      stepsThat(plan, 'patch-pod').flatMap(({ pod, labels, annotations }) =>
        Object.keys({ ...labels, ...annotations }).map((key) => `${pod} ${key}`),
      )
    holds((picture, plan) => {
      if (changesMode(picture)) return
      const before = marks(plan)
      const next = marks(planNodeSet(carryOutAtOnce(plan, picture)))
      // A Slurm node that Slurm refuses is recognised as such only once it is drained.
      const isNewCause = (mark: string): boolean => mark.endsWith('pod-condemned')
      expect(next.filter((mark) => before.includes(mark) && !isNewCause(mark))).toEqual([])
    })
  })
})

describe('in a helpful world', () => {
  const PASSES = 120

  /** The picture in which nothing is left to do, and how many passes it took. */
  function settle(start: Picture): { picture: Picture; plan: Plan; passes: number } {
    let picture = start
    for (let passes = 0; passes < PASSES; passes++) {
      const plan = planNodeSet(picture)
      if (plan.steps.length === 0 && passes > 8) return { picture, plan, passes }
      picture = carryOut(plan, picture)
    }
    return { picture, plan: planNodeSet(picture), passes: PASSES }
  }

  test('every plan comes to rest', () => {
    fc.assert(
      fc.property(anyPicture, (start) => {
        const { plan } = settle(start)
        expect(inShort(plan)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  test('what is wanted is there in the end', () => {
    fc.assert(
      fc.property(anyPicture, (start) => {
        const { picture, plan } = settle(start)
        if (plan.waits.length > 0 || plan.problems.length > 0 || picture.template.kind !== 'built') return
        const living = picture.workers.filter(({ mode }) => mode === picture.wanted.scalingMode)
        expect([living.length, picture.workers.length]).toEqual([plan.desired, plan.desired])
        const { updateStrategy, scalingMode } = picture.wanted
        if (updateStrategy.type !== 'RollingUpdate' || scalingMode !== 'StatefulSet') return
        expect(living.filter(({ revisionHash }) => revisionHash !== NEW_HASH)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })
})
