/**
 * The words we use about Slurm jobs. As with nodes, a state that we do not understand is not a finished one.
 *
 * @module
 */
import { consider, every, not, type Answer, type Knowledge } from '../knowledge.ts'
import type { SlurmJob, SlurmJobState } from '../model/job.ts'
import { endedJobStates, liveJobStates, type JobBaseState, type JobStateWord } from './job-state-words.ts'

/** Both descriptions of a job have states. */
type AnyJob = Pick<SlurmJob | SlurmJobState, 'states'>

const BASE_STATES: readonly JobBaseState[] = [...liveJobStates, ...endedJobStates]

/** The base state among the words: a live one first, so that a contradiction counts as a job that lives. */
export function findJobBaseState(states: readonly JobStateWord[]): JobBaseState | undefined {
  return BASE_STATES.find((base) => states.includes(base))
}

/** Does it wait for resources? */
export function isPending(about: Knowledge<AnyJob>): Answer {
  return consider(about, ({ states }) => answerFor(states, (base) => base === 'PENDING'))
}

/** Does it hold its nodes: running, suspended, or still being cleaned up? Deleting one of them would hurt it. */
export function holdsNodes(about: Knowledge<AnyJob>): Answer {
  return consider(about, ({ states }) => {
    if (states.some((word) => HOLDING.includes(word))) return 'yes'
    return answerFor(states, () => false)
  })
}

const HOLDING: readonly JobStateWord[] = [
  'RUNNING',
  'SUSPENDED', // its processes sleep in the memory of its nodes
  'COMPLETING',
  'CONFIGURING',
  'POWER_UP_NODE',
  'RESIZING',
  'STAGE_OUT',
]

/** Is it over as far as its nodes are concerned, while Slurm still cleans up? */
export function isCompleting(about: Knowledge<AnyJob>): Answer {
  return consider(about, ({ states }) => (states.includes('COMPLETING') ? 'yes' : answerFor(states, () => false)))
}

/** Has it ended for good, one way or another, with nothing of it left on any node? */
export function isFinished(about: Knowledge<AnyJob>): Answer {
  const ended = consider(about, ({ states }) => answerFor(states, (base) => isEnded(base)))
  return every(ended, not(holdsNodes(about)))
}

/** Did it end well? */
export function hasSucceeded(about: Knowledge<AnyJob>): Answer {
  return every(
    isFinished(about),
    consider(about, ({ states }) => answerFor(states, (base) => base === 'COMPLETED')),
  )
}

function isEnded(base: JobBaseState): boolean {
  return (endedJobStates as readonly string[]).includes(base)
}

/** Without a base state that we know there is no answer. */
function answerFor(states: readonly JobStateWord[], question: (base: JobBaseState) => boolean): Answer {
  const base = findJobBaseState(states)
  if (base === undefined) return 'unknown'
  return question(base) ? 'yes' : 'no'
}
