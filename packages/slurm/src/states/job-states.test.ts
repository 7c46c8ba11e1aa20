import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seen, type Answer } from '../knowledge.ts'
import { aJob, anyKnownJob, recorded } from '../model/gen.ts'
import { mappings } from '../model/mappings.ts'
import type { JobStateWord } from './job-state-words.ts'
import { findJobBaseState, hasSucceeded, holdsNodes, isCompleting, isFinished, isPending } from './job-states.ts'

const jobWith = (states: readonly JobStateWord[]) => seen(aJob({ states }), 1)

describe('does this job need its nodes? A wrong no ends it', () => {
  const table: readonly [states: JobStateWord[], holds: Answer, finished: Answer, pending: Answer][] = [
    [['RUNNING'], 'yes', 'no', 'no'],
    [['SUSPENDED'], 'yes', 'no', 'no'],
    [['RUNNING', 'CONFIGURING'], 'yes', 'no', 'no'],
    [['PENDING', 'POWER_UP_NODE'], 'yes', 'no', 'yes'],
    [['COMPLETED', 'COMPLETING'], 'yes', 'no', 'no'],
    [['CANCELLED', 'COMPLETING'], 'yes', 'no', 'no'],
    [['PENDING'], 'no', 'no', 'yes'],
    [['PENDING', 'REQUEUE_HOLD'], 'no', 'no', 'yes'],
    [['COMPLETED'], 'no', 'yes', 'no'],
    [['NODE_FAIL'], 'no', 'yes', 'no'],
    [['OUT_OF_MEMORY'], 'no', 'yes', 'no'],
    [['RUNNING', 'COMPLETED'], 'yes', 'no', 'no'],
    [['SOME_DAY'], 'unknown', 'unknown', 'unknown'],
    [[], 'unknown', 'unknown', 'unknown'],
  ]
  for (const [states, holds, finished, pending] of table) {
    test(`{${states.join(',')}}`, () => {
      const job = jobWith(states)
      expect([holdsNodes(job), isFinished(job), isPending(job)]).toEqual([holds, finished, pending])
    })
  }

  test('success is the one good end', () => {
    expect(hasSucceeded(jobWith(['COMPLETED']))).toBe('yes')
    expect(hasSucceeded(jobWith(['COMPLETED', 'COMPLETING']))).toBe('no')
    expect(hasSucceeded(jobWith(['TIMEOUT']))).toBe('no')
    expect(hasSucceeded(jobWith(['SOME_DAY']))).toBe('unknown')
  })

  test('a contradiction counts as a job that lives', () => {
    expect(findJobBaseState(['COMPLETED', 'RUNNING'])).toBe('RUNNING')
    expect(findJobBaseState(['COMPLETING'])).toBeUndefined()
  })

  test('the short description answers as well as the long one', () => {
    const { records } = mappings['v0.0.45'].jobStates(recorded('jobs-state').response.body)
    const running = records.filter((job) => holdsNodes(seen(job, 1)) === 'yes').map(({ id }) => id)
    expect(running).toEqual(['20', '21'])
  })
})

test('whatever Slurm says: a job that holds nodes or waits is not finished, and silence answers nothing', () => {
  fc.assert(
    fc.property(anyKnownJob, (about) => {
      const [holds, finished, pending] = [holdsNodes(about), isFinished(about), isPending(about)]
      expect(holds === 'yes' || pending === 'yes' ? finished : 'no').toBe('no')
      expect(isCompleting(about) === 'yes' ? holds : 'yes').toBe('yes')
      expect(hasSucceeded(about) === 'yes' ? finished : 'yes').toBe('yes')
      expect(about.kind === 'seen' ? 'unknown' : finished).toBe('unknown')
      expect(about.kind === 'seen' ? 'unknown' : holds).toBe('unknown')
    }),
    { numRuns: 1000 },
  )
})
