/**
 * The words we use about Slurm nodes, each an answer to a question about what we know.
 *
 * A node that Slurm did not describe in words we understand is not idle and not drained: it is unknown.
 *
 * @module
 */
import { ask, consider, every, not, some, type Answer, type Knowledge } from '../knowledge.ts'
import type { SlurmNode } from '../model/node.ts'
import { nodeBaseStates, type NodeBaseState, type NodeStateFlag, type NodeStateWord } from './node-state-words.ts'

/** What slurmctld writes into the reason of a node that stopped answering. */
const NOT_RESPONDING_REASON = 'Not responding'

/** The base state among the words; the first in the order of `nodeBaseStates` if there are several. */
export function findBaseState(states: readonly NodeStateWord[]): NodeBaseState | undefined {
  return nodeBaseStates.find((base) => states.includes(base))
}

/** Is this word part of its state? */
export function hasState(about: Knowledge<SlurmNode>, word: NodeBaseState | NodeStateFlag): Answer {
  return ask(about, ({ states }) => states.includes(word))
}

/** Has it work: running, or being cleaned up? In a state that says nothing about work, nobody knows. */
export function isBusy(about: Knowledge<SlurmNode>): Answer {
  return consider(about, ({ states }) => busyIn(states))
}

function busyIn(states: readonly NodeStateWord[]): Answer {
  if (states.some((word) => word === 'ALLOCATED' || word === 'MIXED' || word === 'COMPLETING')) return 'yes'
  switch (findBaseState(states)) {
    case 'IDLE':
    case 'DOWN':
    case 'FUTURE':
      return 'no'
    default:
      return 'unknown' // UNKNOWN and ERROR may have jobs; so may a state of a release to come
  }
}

/** Was it asked to take no more jobs, and was that not taken back? */
export function isDrain(about: Knowledge<SlurmNode>): Answer {
  return ask(about, ({ states }) => states.includes('DRAIN') && !states.includes('UNDRAIN'))
}

/** May it go? Asked to take no more jobs, and none is left. */
export function isDrained(about: Knowledge<SlurmNode>): Answer {
  return every(isDrain(about), not(isBusy(about)))
}

/** Has it no work, and gets none in the state that it is in? Drained, or DOWN. */
export function isVacant(about: Knowledge<SlurmNode>): Answer {
  return every(some(isDrain(about), isDown(about)), not(isBusy(about)))
}

/** Asked to take no more jobs, and some are left. */
export function isDraining(about: Knowledge<SlurmNode>): Answer {
  return every(isDrain(about), isBusy(about))
}

/** Is its base state IDLE, whatever the flags? For counters; it says nothing about whether it may go. */
export function isIdle(about: Knowledge<SlurmNode>): Answer {
  return isBaseState(about, 'IDLE')
}

/** Is it DOWN? */
export function isDown(about: Knowledge<SlurmNode>): Answer {
  return isBaseState(about, 'DOWN')
}

/** Is this its base state? Without a base state that we know there is no answer. */
export function isBaseState(about: Knowledge<SlurmNode>, base: NodeBaseState): Answer {
  return consider(about, ({ states }) => {
    const found = findBaseState(states)
    if (found === undefined) return 'unknown'
    return found === base ? 'yes' : 'no'
  })
}

/** Has slurmctld given it up because slurmd does not answer? The flag alone also marks a short silence. */
export function isUnresponsive(about: Knowledge<SlurmNode>): Answer {
  return every(
    isDown(about),
    ask(about, ({ reason }) => reason.includes(NOT_RESPONDING_REASON)),
  )
}

/** Down and silent: its record may be a leftover of a worker that is no more. */
export function isDefunctCandidate(about: Knowledge<SlurmNode>): Answer {
  return every(isDown(about), hasState(about, 'NOT_RESPONDING'))
}

/** Is it about to change by itself, so that we should look again soon? */
export function isInMotion(about: Knowledge<SlurmNode>): Answer {
  return some(isDraining(about), ...MOVING.map((word) => hasState(about, word)))
}

const MOVING: readonly NodeStateFlag[] = [
  'COMPLETING',
  'NOT_RESPONDING',
  'POWERING_DOWN',
  'POWERING_UP',
  'POWER_DOWN',
  'POWER_UP',
  'REBOOT_ISSUED',
  'REBOOT_REQUESTED',
]
