/**
 * Who waits for what since when, in a few lines: one for each reason, with the one that has waited longest and how many
 * others there are. Texts do not change from pass to pass, or the status would be written all the time.
 *
 * @module
 */
import { findTime, printTime } from '@slurm-operator/kube'
import { counted } from '../reasons/counted.ts'
import type { Picture } from './picture.ts'
import type { Wait } from './steps.ts'

/** One line of `status.waiting`. */
interface WaitLine {
  readonly name: string
  readonly reason: string
  readonly message: string
  readonly since: string
}

const MOST_LINES = 5
const LONGEST_MESSAGE = 1024

/** See the module. */
export function describeWaits(
  { before, nowMs }: Pick<Picture, 'before' | 'nowMs'>,
  waits: readonly Wait[],
): WaitLine[] {
  const dated = waits.map((wait) => ({ wait, sinceMs: sinceOf(wait, before.waiting, nowMs) }))
  const groups = [...Map.groupBy(dated, ({ wait }) => wait.reason).values()]
  const lines = groups.flatMap((group) => {
    const [longest] = group.sort(
      (one, other) => one.sinceMs - other.sinceMs || compare(one.wait.worker, other.wait.worker),
    )
    return longest === undefined ? [] : [{ ...longest, others: group.length - 1 }]
  })
  return lines
    .sort((one, other) => one.sinceMs - other.sinceMs || compare(one.wait.reason, other.wait.reason))
    .slice(0, MOST_LINES)
    .map(({ wait, sinceMs, others }) => ({
      ...{ name: wait.worker, reason: wait.reason, message: messageOf(wait, others), since: printTime(sinceMs) },
    }))
}

/** The same wait goes on from when it began. */
function sinceOf(wait: Wait, waiting: Picture['before']['waiting'], nowMs: number): number {
  const earlier = waiting.find(({ name, reason }) => name === wait.worker && reason === wait.reason)
  return wait.sinceMs ?? findTime(earlier?.since) ?? nowMs
}

function messageOf({ because, lookAgainInMs }: Wait, others: number): string {
  const seconds = Math.max(1, Math.ceil(lookAgainInMs / 1000))
  const also = others === 0 ? '' : ` ${counted(others, 'other waits', 'others wait')} for the same reason.`
  return `${because}. We look again within ${seconds} s.${also}`.slice(0, LONGEST_MESSAGE)
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
