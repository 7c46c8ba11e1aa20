/**
 * Whose drain it is. Slurm keeps one text per node, the reason, and we sign ours with a prefix. A drain that
 * somebody else asked for is never taken back and its reason never replaced.
 *
 * @module
 */
import { ask, every, not, some, type Answer, type Knowledge } from '../knowledge.ts'
import type { SlurmNode } from '../model/node.ts'
import { hasState, isDown, isDrain } from './node-states.ts'

/** The signature. The space belongs to it: `slurm-operator:x` is somebody else's. */
export const REASON_PREFIX = 'slurm-operator: '

/** Is this reason ours, or nobody's? */
export function isOurReason(reason: string, prefix = REASON_PREFIX): boolean {
  return reason === '' || reason.startsWith(prefix)
}

/** May we change its drain and its reason? Nobody else has said anything about it. */
export function isReasonOurs(about: Knowledge<SlurmNode>, prefix = REASON_PREFIX): Answer {
  return ask(about, ({ reason }) => isOurReason(reason, prefix))
}

/** Drained or draining because somebody else wants it: wait, and leave it as it is. */
export function isForeignDrain(about: Knowledge<SlurmNode>, prefix = REASON_PREFIX): Answer {
  return every(isDrain(about), not(isReasonOurs(about, prefix)))
}

/** May we take the drain back? Only one that exists and that we are sure is ours. */
export function mayUndrain(about: Knowledge<SlurmNode>, prefix = REASON_PREFIX): Answer {
  return every(isDrain(about), isReasonOurs(about, prefix))
}

/** What slurmctld says, and nothing else, about a slurmd that registers with less than its record has. */
const REFUSAL =
  /(?:Low (?:socket\*core\*thread count|CPUs|RealMemory|TmpDisk)|\S+ count reported lower than configured)(?: \([^)]*\))?/
const REFUSALS = new RegExp(`^${REFUSAL.source}(?:, ${REFUSAL.source})*$`)

/** Is nobody's wish lost with a record that refuses its slurmd? Its reason is Slurm's own, or ours, or there is none. */
export function isRefusalOnly({ reason }: Pick<SlurmNode, 'reason'>, prefix = REASON_PREFIX): boolean {
  return isOurReason(reason, prefix) || REFUSALS.test(reason)
}

/** What slurmctld says first about a slurmd that it has not heard of for long. */
const SILENCE = 'Not responding'

/**
 * Is it drained, DOWN or failing because somebody else said so? With its record that would be forgotten. Only people say FAIL,
 * and slurmctld may write its own words over theirs then.
 */
export function isClosedByOthers(about: Knowledge<SlurmNode>, prefix = REASON_PREFIX): Answer {
  const isBySomebody = ask(about, (node) => !isRefusalOnly(node, prefix) && !node.reason.startsWith(SILENCE))
  return some(isForeignDrain(about, prefix), hasState(about, 'FAIL'), every(isDown(about), isBySomebody))
}

/**
 * Is it DOWN by nothing but a refusal that is over? It was DOWN when slurmctld refused its slurmd, which wrote its own words
 * over those that stood there; one that fits has registered since, and slurmctld leaves it as it is. Nobody has drained it.
 */
export function isRefusedNoMore(about: Knowledge<SlurmNode>): Answer {
  const isOver = not(hasState(about, 'INVALID_REG'))
  return every(
    isDown(about),
    not(isDrain(about)),
    isOver,
    ask(about, ({ reason }) => REFUSALS.test(reason)),
  )
}
