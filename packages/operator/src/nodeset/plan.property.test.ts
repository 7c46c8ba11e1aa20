/**
 * What holds for every plan, stated in raw facts: calling our own words here would let a bug in them pass.
 *
 * @module
 */
import { annotationKeys, labelKeys } from '@slurm-operator/api'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyPicture } from './gen-any.ts'
import { carryOut, carryOutAtOnce } from './gen-world.ts'
import { inShort, NEW_HASH, stepsThat } from './gen.ts'
import type { Picture, Worker } from './picture.ts'
import { planNodeSet } from './plan.ts'
import type { Plan, Step } from './steps.ts'

const MANY = { numRuns: 1000 }

function holds(what: (picture: Picture, plan: Plan) => void, runs = MANY): void {
  fc.assert(
    fc.property(anyPicture, (picture) => what(picture, planNodeSet(picture))),
    runs,
  )
}

const neverWorked = ({ wasReady, conditions }: Worker): boolean =>
  !wasReady && !conditions.some(({ type }) => type.startsWith('Slurm'))

/** Slurm said that nothing runs and nothing will; or nothing can run, because it never came up or has ended. */
function isReleased(worker: Worker, { nowMs }: Picture): boolean {
  const { phase, hasStarted, slurmNode, jobs } = worker
  if (phase === 'Failed' || phase === 'Succeeded') return true
  if (!hasStarted && phase === 'Pending') return true
  if (slurmNode.kind === 'seen') {
    const { states } = slurmNode.value
    const isDrain = states.includes('DRAIN') && !states.includes('UNDRAIN')
    const hasWork = ['ALLOCATED', 'MIXED', 'COMPLETING', 'ERROR', 'UNKNOWN', 'SOME_DAY'].some((word) =>
      states.includes(word),
    )
    return isDrain && !hasWork && nowMs - slurmNode.atMs <= 15_000
  }
  if (worker.joinedAs !== undefined) return false
  if (neverWorked(worker)) return nowMs - (worker.runningSinceMs ?? 0) >= 60_000
  const isQuiet = jobs.kind === 'seen' && jobs.value.length === 0
  return slurmNode.kind === 'absent' && isQuiet && nowMs - slurmNode.sinceMs >= 60_000
}

const isReady = ({ phase, readySinceMs, terminating }: Worker): boolean =>
  phase === 'Running' && readySinceMs !== undefined && !terminating

describe('no picture', () => {
  test('makes a plan delete a worker that Slurm has not released', () => {
    holds((picture, plan) => {
      const deleted = stepsThat(plan, 'delete-pod').map(({ uid }) => uid)
      expect(picture.workers.filter((one) => deleted.includes(one.uid) && !isReleased(one, picture))).toEqual([])
    })
  })

  test('makes a plan delete a worker that only lists do not show, without asking Slurm for it by name', () => {
    holds((picture, plan) => {
      const hidden = picture.workers.filter(
        ({ phase, hasStarted, slurmNode }) =>
          slurmNode.kind === 'absent' && (phase === 'Running' || (phase === 'Pending' && hasStarted)),
      )
      const names = new Map(hidden.map(({ uid, slurmName }) => [uid, slurmName]))
      const deletions = stepsThat(plan, 'delete-pod').filter(({ uid }) => names.has(uid))
      for (const { uid, unlistedAs } of deletions) expect(unlistedAs).toBe(names.get(uid))
    })
  })

  test('makes a plan delete a pod that is on its way out already, or one of another uid', () => {
    holds((picture, plan) => {
      const living = picture.workers.filter(({ terminating }) => !terminating).map(({ uid }) => uid)
      const deleted = stepsThat(plan, 'delete-pod').map(({ uid }) => uid)
      expect(deleted.filter((uid) => !living.includes(uid))).toEqual([])
      expect(new Set(deleted).size).toBe(deleted.length)
    })
  })

  test('makes an update delete more available workers than the budget allows', () => {
    holds((picture, plan) => {
      const { wanted, nowMs } = picture
      const strategy = wanted.updateStrategy
      if (wanted.scalingMode !== 'StatefulSet' || strategy.type !== 'RollingUpdate') return
      const isAvailable = (one: Worker): boolean =>
        isReady(one) &&
        one.mode === wanted.scalingMode &&
        nowMs - Number(one.readySinceMs) >= wanted.minReadySeconds * 1000
      const deletions = stepsThat(plan, 'delete-pod')
      const ours = picture.workers.filter(isAvailable)
      const taken = deletions.filter(
        ({ uid, reason }) =>
          (reason === 'Outdated' || reason === 'NotRegistered') && ours.some((one) => one.uid === uid),
      )
      if (taken.length === 0) return
      const left = ours.filter(({ uid }) => !deletions.some((one) => one.uid === uid)).length
      const share =
        { 1: 1, 2: 2, '25%': Math.ceil(wanted.replicas / 4), '100%': wanted.replicas, abc: 1 }[
          strategy.maxUnavailable
        ] ?? 0
      expect(left).toBeGreaterThanOrEqual(wanted.replicas - Math.max(1, share))
    })
  })

  test('makes a plan touch a reason that is not ours', () => {
    holds((picture, plan) => {
      const foreign = picture.workers.flatMap(({ slurmNode, slurmName }) => {
        if (slurmNode.kind !== 'seen') return []
        const { reason } = slurmNode.value
        return reason === '' || reason.startsWith('slurm-operator: ') ? [] : [slurmName]
      })
      // Slurm refused them when they were DOWN, and does so no more: nobody else has said anything.
      const refusedBefore = picture.workers.flatMap(({ slurmNode, slurmName }) => {
        if (slurmNode.kind !== 'seen' || slurmNode.value.reason !== 'Low RealMemory') return []
        const { states } = slurmNode.value
        return states.includes('DOWN') && !states.includes('DRAIN') && !states.includes('INVALID_REG')
          ? [slurmName]
          : []
      })
      const touched = plan.steps.filter(
        (step) =>
          step.do === 'undrain' ||
          (step.do === 'resume' && !refusedBefore.includes(step.slurmName)) ||
          (step.do === 'drain' && step.drainReason !== undefined),
      )
      expect(touched.filter((step) => 'slurmName' in step && foreign.includes(step.slurmName))).toEqual([])
    })
  })

  test('makes a plan take something back, or forget a record, while Slurm is silent about it', () => {
    holds((picture, plan) => {
      const silent = picture.workers
        .filter(({ slurmNode }) => slurmNode.kind !== 'seen')
        .map(({ slurmName }) => slurmName)
      const bold = plan.steps.filter(
        (step) => step.do === 'undrain' || step.do === 'resume' || step.do === 'prune-record',
      )
      expect(bold.filter((step) => 'slurmName' in step && silent.includes(step.slurmName))).toEqual([])
    })
  })

  test('makes a plan drain and undrain one node, or speak to it twice', () => {
    holds((_picture, plan) => {
      const told = plan.steps.filter((step) => step.do === 'drain' || step.do === 'undrain' || step.do === 'resume')
      const names = told.map((step) => ('slurmName' in step ? step.slurmName : ''))
      expect(new Set(names).size).toBe(names.length)
    })
  })

  test('makes a plan take a cordon away that a user has set', () => {
    holds((picture, plan) => {
      for (const { pod, annotations } of stepsThat(plan, 'patch-pod')) {
        if (annotations[annotationKeys.podCordon] !== null) continue
        const before = picture.workers.find((worker) => worker.pod === pod)?.annotations ?? {}
        expect(before[`${annotationKeys.podCordon}-by`]).toBe('slurm-operator')
      }
    })
  })

  test('gives a claim to a pod unless that leaves for good in the same plan and the policy says so', () => {
    holds((picture, plan) => {
      const leaving = stepsThat(plan, 'delete-pod').filter(({ reason }) =>
        ['ScaleIn', 'NodeGone', 'NodeNotWanted'].includes(reason),
      )
      const given = stepsThat(plan, 'own-pvc').flatMap(({ ownerReferences }) =>
        ownerReferences.filter(({ kind }) => kind === 'Pod'),
      )
      expect(
        given.filter(({ uid }) => picture.wanted.whenScaled !== 'Delete' || !leaving.some((one) => one.uid === uid)),
      ).toEqual([])
    })
  })

  test('opens a worker to eviction that may have a job or get one, where it is protected until it is drained', () => {
    holds((picture, plan) => {
      if (picture.wanted.protects !== 'until-drained') return
      const opened = [
        ...stepsThat(plan, 'unprotect-pod').map(({ uid }) => uid),
        ...stepsThat(plan, 'patch-pod').flatMap(({ uid, labels }) =>
          labels[labelKeys.podProtect] === null ? [uid] : [],
        ),
      ]
      const isSafe = ({ slurmNode }: Worker): boolean => {
        if (slurmNode.kind !== 'seen') return false
        const { states } = slurmNode.value
        const isOut = states.includes('DOWN') || (states.includes('DRAIN') && !states.includes('UNDRAIN'))
        return isOut && !['ALLOCATED', 'MIXED', 'COMPLETING', 'ERROR', 'UNKNOWN'].some((one) => states.includes(one))
      }
      expect(picture.workers.filter((one) => opened.includes(one.uid) && !isSafe(one))).toEqual([])
      const returned = plan.steps.flatMap((step) =>
        step.do === 'undrain' || step.do === 'resume' ? step.slurmName : [],
      )
      expect(stepsThat(plan, 'unprotect-pod').filter(({ slurmName }) => returned.includes(slurmName))).toEqual([])
    })
  })

  test('makes a plan create a pod that exists, or the same one twice', () => {
    holds((picture, plan) => {
      const names = stepsThat(plan, 'create-pod').map(({ worker }) => worker.name ?? worker.node ?? '')
      const existing = picture.workers.map(({ pod }) => pod)
      expect(names.filter((name) => existing.includes(name))).toEqual([])
      expect(new Set(names).size).toBe(names.length)
    })
  })

  test('makes a plan create or delete pods while our own writes are not seen yet', () => {
    holds((picture, plan) => {
      if (!picture.cacheIsBehind) return
      expect([...stepsThat(plan, 'create-pod'), ...stepsThat(plan, 'delete-pod')]).toEqual([])
    })
  })

  test('leaves a condemned worker without a word about what it waits for', () => {
    holds((picture, plan) => {
      const drained = stepsThat(plan, 'drain').filter(({ reason }) => !['KubeNodeCordoned', 'Cordon'].includes(reason))
      const waiting = new Set(plan.waits.map(({ worker }) => worker))
      const silent = drained.filter(({ slurmName }) => {
        const worker = picture.workers.find((one) => one.slurmName === slurmName)
        return worker !== undefined && !waiting.has(worker.pod)
      })
      expect(silent).toEqual([])
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
