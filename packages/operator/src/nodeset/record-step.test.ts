import { silentLogger, type Happening } from '@slurm-operator/runtime'
import { describe, expect, test } from 'vitest'
import type { Acting } from './acting.ts'
import { aPicture, slurmSays, TOMORROW, workersOf } from './gen.ts'
import { planNodeSet } from './plan.ts'
import { recordSteps } from './record-step.ts'
import type { StepResult } from './step-result.ts'
import type { EventReason, Step } from './steps.ts'

const deletion = (pod: string, reason: EventReason = 'ScalingDown'): Step => ({
  ...{ do: 'delete-pod', pod, uid: pod, chain: pod, reason: 'ScaleIn', because: 'fewer workers are wanted' },
  event: { type: 'Normal', reason },
})
const done = (step: Step): StepResult => ({ kind: 'done', step })
const told = (results: readonly StepResult[]) => {
  const happenings: Happening[] = []
  const at = { observed: { nodeSet: {} }, log: silentLogger, record: (one: Happening) => void happenings.push(one) }
  recordSteps(results, at as unknown as Acting)
  return happenings.map(({ reason, action, note }) => `${reason} ${action}: ${note}`)
}

describe('Events of a pass prevent that', () => {
  test('a thousand workers are a thousand words about the same decision', () => {
    const pods = Array.from({ length: 7 }, (_, index) => `w-${index}`)
    const [first, ...others] = told(pods.map((pod) => done(deletion(pod))))
    expect(first).toBe('ScalingDown ScaleDown: w-0, w-1, w-2, w-3, w-4 and 2 more.')
    expect(others.every((line) => line.startsWith('SuccessfulDelete Delete'))).toBe(true)
  })

  test('a scheduled update writes one Event per worker', () => {
    const states = ['IDLE', 'MAINTENANCE', 'RESERVED']
    const slurmNode = slurmSays(states, { reservation: 'SlurmOperatorMaint-foo', comment: '' })
    const workers = workersOf([0, 1, 2, 3, 4, 5, 6], { revisionHash: 'old', slurmNode })
    const { steps } = planNodeSet(
      aPicture({
        workers,
        wanted: {
          replicas: 7,
          updateStrategy: { type: 'ScheduledUpdate', startsAtMs: TOMORROW, durationInMinutes: 30, flags: [] },
        },
      }),
    )
    expect(told(steps.map(done))).toEqual([
      'Scheduled Update ScheduledUpdate: foo-0, foo-1, foo-2, foo-3, foo-4 and 2 more.',
    ])
  })

  test('nobody learns why one worker goes', () => {
    expect(told([done(deletion('w-0'))])).toEqual([
      'ScalingDown ScaleDown: w-0: fewer workers are wanted.',
      'SuccessfulDelete Delete: Deleted pod w-0: fewer workers are wanted.',
    ])
  })

  test('workers that stay in Slurm without their pods are lost among others', () => {
    const lines = told([done(deletion('w-0', 'NodeCordon')), done(deletion('w-1', 'NodeCordon'))])
    expect(lines.filter((line) => line.startsWith('NodeCordon Sync: w-'))).toHaveLength(2)
  })

  test('a decision that failed is told as if it was carried out', () => {
    const failed: StepResult = { kind: 'failed', step: deletion('w-0'), error: new Error('no') }
    expect(told([failed, { kind: 'skipped', step: deletion('w-1') }])).toEqual([
      'FailedDelete Delete: Cannot delete-pod w-0: no',
    ])
  })
})
