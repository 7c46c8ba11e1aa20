import { shortenMessage, whyInvalidCondition, type Condition, type WantedCondition } from './condition.ts'

/** The line of one type; undefined if nobody wrote one. */
export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type)
}

/**
 * The list with this line in it, sorted by type. The time moves only if the status does. If nothing changes, the same
 * list is returned, so that `===` means "nothing to write". Throws on a reason the API server would refuse.
 *
 * @param now as metav1.Time, see `printTime`
 */
export function setCondition(
  conditions: readonly Condition[],
  wanted: WantedCondition,
  now: string,
): readonly Condition[] {
  const before = findCondition(conditions, wanted.type)
  const after = renew(before, { ...wanted, message: shortenMessage(wanted.message) }, now)
  if (after === before) return conditions
  return byType([...removeCondition(conditions, wanted.type), after])
}

/** Several lines at once, for a pass that decides about all of them. */
export function setConditions(
  conditions: readonly Condition[],
  wanted: readonly WantedCondition[],
  now: string,
): readonly Condition[] {
  return wanted.reduce((list, condition) => setCondition(list, condition, now), conditions)
}

/** The list without the line of this type; the same list if there was none. */
export function removeCondition(conditions: readonly Condition[], type: string): readonly Condition[] {
  const left = conditions.filter((condition) => condition.type !== type)
  return left.length === conditions.length ? conditions : left
}

function renew(before: Condition | undefined, wanted: WantedCondition, now: string): Condition {
  const why = whyInvalidCondition(wanted)
  if (why !== undefined) throw new Error(`Cannot set the condition ${wanted.type}: ${why}.`)
  if (before && saysTheSame(before, wanted)) return before
  const { type, status, observedGeneration, reason, message } = wanted
  const lastTransitionTime = before && before.status === status ? before.lastTransitionTime : now
  return {
    type,
    status,
    ...(observedGeneration !== undefined && { observedGeneration }),
    lastTransitionTime,
    reason,
    message,
  }
}

function saysTheSame(before: Condition, wanted: WantedCondition): boolean {
  return (
    before.status === wanted.status &&
    before.reason === wanted.reason &&
    before.message === wanted.message &&
    before.observedGeneration === wanted.observedGeneration
  )
}

function byType(conditions: Condition[]): Condition[] {
  return conditions.sort((a, b) => (a.type === b.type ? 0 : a.type < b.type ? -1 : 1))
}
