import type { Difference } from './sightings.ts'
import type { RecordFacts } from './knowledge-of.ts'
import type { Write, WriteEffect } from './writes.ts'

/** A look at one record, between two lists. */
export interface Look<T> {
  readonly name: string
  /** The counter when it began: lists that were asked for later, and have come, know better. */
  readonly beganAt: number
  readonly found: T | undefined
  /** What it does to what we knew; undefined: it shows nothing new. */
  readonly effectOn: (before: T | undefined) => WriteEffect<T> | undefined
}

/** What is the same for all looks at this moment. */
export interface LookFacts {
  /** The counter of this moment. */
  readonly id: number
  readonly nowMs: number
  /** The counter when the newest good list was asked for. */
  readonly listedAt: number
}

/** What to remember instead of earlier looks, and what to tell. */
export interface AfterLook<T> {
  /** None: it is again as the list said. */
  readonly glimpse: Write<T> | undefined
  readonly difference: Difference<T>
}

/**
 * What a look changes: it is treated as a write of somebody else, which the next list confirms. Undefined if it shows
 * nothing new, or cannot be ordered with a list or a write of ours that came in between.
 */
export function afterLook<T>(
  { sightings, writes: open }: RecordFacts<T>,
  { name, beganAt, found, effectOn }: Look<T>,
  { id, nowMs, listedAt }: LookFacts,
): AfterLook<T> | undefined {
  const isUnusable = listedAt > beganAt || sightings.silence !== undefined || sightings.doubts.has(name)
  if (isUnusable || open.some(({ isGlimpse }) => isGlimpse !== true)) return undefined
  const listed = sightings.entries.get(name)
  const old = open.reduce<T | undefined>((record, { effect }) => afterEffect(record, effect), listed)
  if (effectOn(old) === undefined) return undefined
  const effect = effectOn(listed)
  return { glimpse: effect && buildGlimpse(name, effect, id, nowMs), difference: { name, old, now: found } }
}

/** That a record is missing is not believed before a list says so. */
function buildGlimpse<T>(name: string, effect: WriteEffect<T>, id: number, nowMs: number): Write<T> {
  const phase = effect.kind === 'delete' ? 'uncertain' : 'accepted'
  return { id, names: new Set([name]), effect, phase, settledAt: id, settledAtMs: nowMs, isGlimpse: true }
}

/** The record after an effect; undefined if there is none then. */
function afterEffect<T>(record: T | undefined, effect: WriteEffect<T>): T | undefined {
  switch (effect.kind) {
    case 'delete':
      return undefined
    case 'create':
      return effect.record ?? record
    case 'change':
      return record === undefined ? undefined : effect.fold(record)
  }
}
