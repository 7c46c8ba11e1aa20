/**
 * Our own writes, folded into what we know until a list confirms them.
 *
 * A list that was asked for before a write was done cannot know of it, however late it arrives; so writes and lists
 * are ordered by a counter, not by the clock. After a change of state only Slurm knows what the record is: a node that
 * was idle when we last looked may have got a job just before we drained it. So until the next list it is unknown, and
 * so it is when nobody told us how the write ended: it may have happened.
 *
 * @module
 */
import { absent, lastSeen, seen, unknown, type Knowledge } from '../knowledge.ts'

/** What a write does to a record. */
export type WriteEffect<T> =
  | { readonly kind: 'delete' }
  | { readonly kind: 'create'; readonly record?: T }
  | {
      readonly kind: 'change'
      readonly fold: (record: T) => T
      /** False for a comment and the like: then what we know of the state stays true whatever happens. */
      readonly touchesState: boolean
    }

/** A write that no list has confirmed yet. */
export interface Write<T> {
  readonly id: number
  readonly names: ReadonlySet<string>
  readonly effect: WriteEffect<T>
  readonly phase: 'under-way' | 'accepted' | 'uncertain'
  /** The counter when it ended; undefined while it is under way. */
  readonly settledAt: number | undefined
  readonly settledAtMs: number | undefined
  /** Not a write of ours: a look at this one record has shown what somebody else did. */
  readonly isGlimpse?: true
}

/** Names that are missing from the next list because of us. What only may have been deleted is not among them. */
export function namesDeleted<T>(writes: readonly Write<T>[]): Set<string> {
  const deletes = writes.filter(({ effect, phase }) => effect.kind === 'delete' && phase === 'accepted')
  return new Set(deletes.flatMap(({ names }) => [...names]))
}

/** What we know of a record after our own writes to it. */
export function foldWrites<T>(known: Knowledge<T>, writes: readonly Write<T>[]): Knowledge<T> {
  return writes.reduce(foldOne, known)
}

function foldOne<T>(known: Knowledge<T>, { effect, phase, settledAtMs }: Write<T>): Knowledge<T> {
  const last = lastSeen(known)
  switch (effect.kind) {
    case 'create':
      return unknown('not-listed-yet', effect.record ?? last)
    case 'delete':
      if (known.kind !== 'seen') return known
      return phase === 'accepted' ? absent(settledAtMs ?? known.atMs) : unknown('not-listed-yet', last)
    case 'change':
      return foldChange(known, phase === 'accepted' ? effect.fold : (record) => record, effect.touchesState)
  }
}

function foldChange<T>(known: Knowledge<T>, fold: (record: T) => T, touchesState: boolean): Knowledge<T> {
  if (known.kind === 'absent') return touchesState ? unknown('not-listed-yet') : known
  if (known.kind === 'unknown') return known.last === undefined ? known : unknown(known.why, fold(known.last))
  return touchesState ? unknown('not-listed-yet', fold(known.value)) : seen(fold(known.value), known.atMs)
}
