import type { Problem } from '@slurm-operator/api'
import { DurationError, parseDuration } from '@slurm-operator/kube'
import { quote, refuse } from './problem.ts'

/** One minute, in the unit of durations. */
export const MINUTE_NS = 60_000_000_000n

/** A text that is no duration, or what is wrong with one that is. */
export function findDurationProblems(
  path: string,
  text: string | undefined,
  judge: (nanoseconds: bigint) => readonly Problem[],
): readonly Problem[] {
  if (text === undefined) return []
  try {
    return judge(parseDuration(text))
  } catch (error) {
    if (!(error instanceof DurationError)) throw error
    return [refuse(path, `is ${quote(text)}, which is no duration`, 'Write it like 30m or 1h30m.')]
  }
}
