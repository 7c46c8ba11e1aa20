import type { Next } from '../queue/queue-state.ts'
import type { Outcome } from './outcome.ts'

const NEVER = Infinity

/** What the queue does with a key after this outcome. A wish that is no time is a bug, and treated as a failure. */
export function nextForQueue(outcome: Outcome): Next {
  switch (outcome.kind) {
    case 'settled':
      return { kind: 'forget' }
    case 'look-again':
      return later(outcome.inSeconds)
    case 'stalled':
      return outcome.lookAgainInSeconds === undefined ? { kind: 'forget' } : later(outcome.lookAgainInSeconds)
    case 'retry':
      return isTime(outcome.atLatestInSeconds)
        ? { kind: 'retry', atLatestInMs: outcome.atLatestInSeconds * 1000 }
        : { kind: 'retry' }
  }
}

function later(inSeconds: number): Next {
  if (inSeconds === NEVER) return { kind: 'forget' }
  return isTime(inSeconds) ? { kind: 'later', inMs: inSeconds * 1000 } : { kind: 'retry' }
}

function isTime(seconds: number | undefined): seconds is number {
  return seconds !== undefined && !Number.isNaN(seconds)
}
