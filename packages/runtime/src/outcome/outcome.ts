/** What a pass found out, and so what happens with its key. */
export type Outcome =
  | { readonly kind: 'settled' } // wanted and actual agree: only a change wakes us
  | { readonly kind: 'look-again'; readonly inSeconds: number } // something happens that no watch tells
  | Retry
  | Stalled

/** Something failed: try again, later each time. */
interface Retry {
  readonly kind: 'retry'
  readonly errors: readonly Error[]
  /** The back-off never gets longer than this: for passes that also watch over something else. */
  readonly atLatestInSeconds?: number
}

/** Only a person can help, so trying again in a hurry is of no use: a change wakes us. */
interface Stalled {
  readonly kind: 'stalled'
  readonly reason: string
  readonly because: string
  /** For causes that are not among the things we watch. */
  readonly lookAgainInSeconds?: number
}

/** Nothing to do until something changes. */
export const settled: Outcome = { kind: 'settled' }

/** Look again after a while. No time at all means that nobody wishes it. */
export function lookAgain(...wishesInSeconds: readonly (number | undefined)[]): Outcome {
  const inSeconds = earliest(wishesInSeconds)
  return inSeconds === undefined ? settled : { kind: 'look-again', inSeconds }
}

/** The outcome of several parts of one pass: failures first, then what only a person can solve, then the earliest wish. */
export function mergeOutcomes(...outcomes: readonly Outcome[]): Outcome {
  const inSeconds = earliest(outcomes.map(wishOf))
  const errors = outcomes.flatMap((outcome) => (outcome.kind === 'retry' ? outcome.errors : []))
  if (outcomes.some(({ kind }) => kind === 'retry')) {
    return { kind: 'retry', errors, ...(inSeconds !== undefined && { atLatestInSeconds: inSeconds }) }
  }
  const stalled = outcomes.filter((outcome) => outcome.kind === 'stalled')
  if (stalled.length > 0) return mergeStalled(stalled, inSeconds)
  return lookAgain(inSeconds)
}

function mergeStalled(all: readonly Stalled[], inSeconds: number | undefined): Outcome {
  return {
    kind: 'stalled',
    reason: all[0]?.reason ?? '',
    because: all.map(({ because }) => because).join('; '),
    ...(inSeconds !== undefined && { lookAgainInSeconds: inSeconds }),
  }
}

function wishOf(outcome: Outcome): number | undefined {
  switch (outcome.kind) {
    case 'settled':
      return undefined
    case 'look-again':
      return outcome.inSeconds
    case 'retry':
      return outcome.atLatestInSeconds
    case 'stalled':
      return outcome.lookAgainInSeconds
  }
}

function earliest(wishes: readonly (number | undefined)[]): number | undefined {
  return wishes.reduce(
    (one, other) => (one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)),
    undefined,
  )
}
