/** `low` is for what nobody waits for: the first list after a start, and looking again at everything. */
export type Priority = 'normal' | 'low'

/** A key's wish to be processed. */
export interface Wish {
  readonly priority: Priority
  readonly atMs: number
}

/** Two wishes for the same key: the earliest moment and the highest priority of both. */
export function mergeWishes(one: Wish | undefined, other: Wish): Wish {
  if (one === undefined) return other
  return {
    atMs: Math.min(one.atMs, other.atMs),
    priority: one.priority === 'normal' || other.priority === 'normal' ? 'normal' : 'low',
  }
}
