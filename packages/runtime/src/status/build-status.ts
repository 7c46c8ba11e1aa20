import {
  isJsonObject,
  printTime,
  removeCondition,
  setConditions,
  type Condition,
  type JsonObject,
  type WantedCondition,
} from '@slurm-operator/kube'

/** The part of a live object that a status is built on. */
export interface Statused {
  readonly metadata: { readonly generation?: number }
  readonly status?: object | undefined
}

/** What a loop wants its status to say. */
export interface WantedStatus {
  /** All fields but the conditions and the generation. One that is undefined is taken away. */
  readonly fields?: Readonly<Record<string, unknown>>
  readonly conditions: readonly WantedCondition[]
  /** Condition types that we wrote once and no longer do. Those of others stay. */
  readonly retired?: readonly string[]
}

/**
 * The status as it is to be stored: the wanted fields over what is there, the time of a condition moved only if its
 * status moved, lines of others untouched, and the generation that we have seen.
 */
export function buildStatus(live: Statused, wanted: WantedStatus, nowMs: number): JsonObject {
  const before = statusOf(live)
  const kept = (wanted.retired ?? []).reduce<readonly Condition[]>(removeCondition, conditionsOf(live))
  const conditions = setConditions(kept, wanted.conditions, printTime(nowMs))
  const { generation } = live.metadata
  return {
    ...before,
    ...(wanted.fields as JsonObject | undefined),
    ...(generation !== undefined && { observedGeneration: generation }),
    conditions: conditions as unknown as readonly JsonObject[],
  }
}

/** The conditions of a live object. What others have put there that is no condition is left out. */
export function conditionsOf(live: Statused): readonly Condition[] {
  const { conditions } = statusOf(live)
  if (!Array.isArray(conditions)) return []
  return (conditions as readonly unknown[]).filter(
    (line): line is Condition => isJsonObject(line) && typeof line['type'] === 'string',
  )
}

/** Whether nobody has said yet whether the object is ready. */
export function isFirstStatus(live: Statused): boolean {
  return !conditionsOf(live).some(({ type }) => type === 'Ready')
}

/** The status of a live object; an empty one if it has none. */
export function statusOf({ status }: Statused): JsonObject {
  return isJsonObject(status) ? status : {}
}
