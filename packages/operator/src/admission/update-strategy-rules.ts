/**
 * How workers are replaced.
 *
 * @module
 */
import type { NodeSetWithDefaults, Problem } from '@slurm-operator/api'
import { whyInvalidIntOrPercent, type IntOrString } from '@slurm-operator/kube'
import { findDurationProblems, MINUTE_NS } from './duration-rules.ts'
import { quote, refuse, warn, when } from './problem.ts'

/** Flags that slurmctld knows for reservations, from 24.11 to 26.05. */
const reservationFlags = new Set([
  ...['MAINT', 'NO_MAINT', 'DAILY', 'NO_DAILY', 'WEEKLY', 'NO_WEEKLY', 'HOURLY', 'NO_HOURLY', 'WEEKDAY', 'NO_WEEKDAY'],
  ...['WEEKEND', 'NO_WEEKEND', 'IGNORE_JOBS', 'NO_IGNORE_JOBS', 'ANY_NODES', 'NO_ANY_NODES', 'STATIC', 'NO_STATIC'],
  ...['PART_NODES', 'NO_PART_NODES', 'OVERLAP', 'SPEC_NODES', 'TIME_FLOAT', 'REPLACE', 'REPLACE_DOWN', 'ALL_NODES'],
  ...['PURGE_COMP', 'NO_PURGE_COMP', 'FLEX', 'NO_FLEX', 'DURATION_PLUS', 'DURATION_MINUS', 'NO_HOLD_JOBS'],
  ...['NO_HOLD_JOBS_AFTER_END', 'MAGNETIC', 'NO_MAGNETIC', 'SKIP', 'USER_DELETE', 'NO_USER_DELETE', 'FORCE_START'],
])

/** What is wrong with the update strategy of a NodeSet. */
export function findUpdateProblems(strategy: NodeSetWithDefaults['spec']['updateStrategy']): readonly Problem[] {
  const { rollingUpdate, scheduledUpdate } = strategy
  return [
    ...findMaxUnavailableProblems(rollingUpdate?.maxUnavailable),
    ...findLengthProblems(scheduledUpdate?.duration),
    ...(scheduledUpdate?.flags ?? []).flatMap(findFlagProblems),
  ]
}

function findMaxUnavailableProblems(value: IntOrString | undefined): readonly Problem[] {
  const path = 'spec.updateStrategy.rollingUpdate.maxUnavailable'
  if (value === undefined) return []
  const isShare = typeof value === 'string' && whyInvalidIntOrPercent(value) === undefined
  const size = isShare ? Number(value.slice(0, -1)) : value
  if (typeof size === 'string') {
    const why = `is the text ${quote(value)}, which is neither a number nor a percentage`
    return [refuse(path, why, 'Write a number without quotes, such as 1, or a percentage, such as "25%".')]
  }
  return [
    ...when(size < 1, () => refuse(path, `is ${value}, so no worker could ever be updated`, 'Write 1, "1%" or more.')),
    ...when(isShare && size >= 100, () =>
      warn(path, `is ${value}: all workers are drained at once`, 'Write less, so that jobs can go on somewhere.'),
    ),
  ]
}

function findLengthProblems(text: string | undefined): readonly Problem[] {
  const path = 'spec.updateStrategy.scheduledUpdate.duration'
  return findDurationProblems(path, text, (length) =>
    when(length !== 0n && length < MINUTE_NS, () =>
      refuse(path, `is ${text}, and Slurm counts in minutes`, 'Write 1m or more.'),
    ),
  )
}

function findFlagProblems(flag: string, index: number): readonly Problem[] {
  return when(!reservationFlags.has(flag.toUpperCase()), () =>
    warn(
      `spec.updateStrategy.scheduledUpdate.flags[${index}]`,
      `is ${quote(flag)}, which is no flag of a reservation that we know`,
      'If Slurm does not know it either, the reservation cannot be made. Is it misspelt?',
    ),
  )
}
