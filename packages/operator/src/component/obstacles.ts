import type { Problem } from '../workload/problem.ts'
import type { Obstacle } from './room.ts'

/** Without those that only left something out. */
export function errorsIn(problems: readonly Problem[]): readonly Problem[] {
  return problems.filter(({ severity }) => severity !== 'warning')
}

/** Problems with what a user wrote, as reasons why it is not carried out. */
export function obstaclesOf(problems: readonly Problem[]): Obstacle[] {
  return errorsIn(problems).map(({ path, problem }) => ({ reason: 'InvalidSpec', because: `${path} ${problem}` }))
}

/** Something that the spec refers to does not exist. */
export function missing(what: string, whose: string): Obstacle {
  return { reason: 'WaitingForReference', because: `${what} does not exist, but ${whose} needs it.` }
}
