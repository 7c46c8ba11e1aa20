import { isExpired, KubeError } from '@slurm-operator/kube'

/** How an attempt to follow a resource ended. */
export type Ending =
  | { readonly kind: 'listed' }
  /** The server closed the stream in peace after this long. */
  | { readonly kind: 'watch-ended'; readonly lastedMs: number; readonly heard: number }
  | { readonly kind: 'failed'; readonly error: unknown; readonly lastedMs: number; readonly heard: number }

/** What to do next, and after how long. */
export interface NextStep {
  readonly do: 'list' | 'watch'
  readonly inMs: number
  /** Failures in a row, for the next back-off. */
  readonly failures: number
}

/** How patient we are with a server in trouble. */
export interface Patience {
  readonly firstMs: number
  readonly mostMs: number
}

export const defaultPatience: Patience = { firstMs: 500, mostMs: 30_000 }

/** A watch that lasted this long, or told something, was a healthy one. */
const HEALTHY_MS = 5_000

/**
 * Decide what follows. A list must succeed before anything is watched; a lost stream goes on where it was; only a
 * server that no longer knows where that was makes us list again. The back-off ends only after a healthy watch: a server
 * that answers lists and cuts every watch would otherwise be asked for everything without a pause.
 */
export function planNext(
  ending: Ending,
  hasVersion: boolean,
  failures: number,
  random: number,
  patience: Patience,
): NextStep {
  if (ending.kind === 'listed') return { do: 'watch', inMs: 0, failures }
  const wasHealthy = ending.heard > 0 || ending.lastedMs >= HEALTHY_MS
  const goOn = hasVersion ? 'watch' : 'list'
  if (ending.kind === 'watch-ended' && wasHealthy) return { do: goOn, inMs: 0, failures: 0 }
  const inARow = (wasHealthy ? 0 : failures) + 1
  const inMs = Math.max(askedFor(ending), backOff(inARow, random, patience))
  const isLost = ending.kind === 'failed' && isExpired(ending.error)
  return { do: isLost ? 'list' : goOn, inMs, failures: inARow }
}

function backOff(failures: number, random: number, { firstMs, mostMs }: Patience): number {
  const fullMs = Math.min(mostMs, firstMs * 2 ** Math.min(failures - 1, 20))
  return fullMs * (0.5 + random / 2)
}

function askedFor(ending: Ending): number {
  if (ending.kind !== 'failed' || !(ending.error instanceof KubeError)) return 0
  return (ending.error.retryAfterSeconds ?? 0) * 1000
}
