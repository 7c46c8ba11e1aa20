/** What we know about something we do not own. `unknown` is not `absent`: silence proves nothing. */
export type Knowledge<T> =
  | { readonly kind: 'seen'; readonly value: T; readonly atMs: number }
  | { readonly kind: 'absent'; readonly sinceMs: number }
  | { readonly kind: 'unknown'; readonly why: UnknownWhy; readonly last?: T }

/** Why we could not look. */
export type UnknownWhy =
  | 'no-client' // nothing tells us where this Slurm cluster is, or the connection is not built yet
  | 'unreachable' // nobody answered in time, or not with an answer we can use
  | 'not-listed-yet' // we are connected and the first complete list is still on its way
  | 'unreadable' // Slurm described it and we did not understand: a bug, ours or theirs
  | 'vanished' // it was missing from one list together with many others; a second list must confirm that

/** The answer to a question about it. Only an explicit `yes` may lead to anything that cannot be undone. */
export type Answer = 'yes' | 'no' | 'unknown'

/** Ask a question that a sighting always settles. */
export function ask<T>(about: Knowledge<T>, question: (value: T) => boolean): Answer {
  return consider(about, (value) => (question(value) ? 'yes' : 'no'))
}

/** Ask a question that a sighting may leave open, such as one about a state we do not know. */
export function consider<T>(about: Knowledge<T>, question: (value: T) => Answer): Answer {
  return about.kind === 'seen' ? question(about.value) : 'unknown'
}

/** `yes` when all are; one `no` settles it, and otherwise one `unknown` does. */
export function every(...answers: readonly Answer[]): Answer {
  if (answers.includes('no')) return 'no'
  return answers.includes('unknown') ? 'unknown' : 'yes'
}

/** `yes` when one is; otherwise one `unknown` leaves it open. */
export function some(...answers: readonly Answer[]): Answer {
  return not(every(...answers.map(not)))
}

/** The opposite; the opposite of not knowing is not knowing. */
export function not(answer: Answer): Answer {
  if (answer === 'unknown') return 'unknown'
  return answer === 'yes' ? 'no' : 'yes'
}

/** A sighting at the given time. */
export function seen<T>(value: T, atMs: number): Knowledge<T> {
  return { kind: 'seen', value, atMs }
}

/** A complete list without it, and since when. */
export function absent(sinceMs: number): Knowledge<never> {
  return { kind: 'absent', sinceMs }
}

/** No look was possible; `last` is the sighting before, for display only. */
export function unknown<T>(why: UnknownWhy, last?: T): Knowledge<T> {
  return last === undefined ? { kind: 'unknown', why } : { kind: 'unknown', why, last }
}

/** The newest sighting, however old: to show to people, never to decide on. */
export function lastSeen<T>(about: Knowledge<T>): T | undefined {
  if (about.kind === 'seen') return about.value
  return about.kind === 'unknown' ? about.last : undefined
}
