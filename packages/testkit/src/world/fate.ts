/** Whether something happens before the server has acted, or after it. */
export type Side = 'before' | 'after'

/** What becomes of one call. */
export type Fate =
  | { readonly do: 'deliver' }
  /** The request, or the answer, is on its way for so long. A request may arrive after its caller has given up. */
  | { readonly do: 'delay'; readonly requestMs?: number; readonly answerMs?: number }
  /** No connection: the server surely did nothing. */
  | { readonly do: 'refuse' }
  /** The connection breaks, and the caller cannot tell whether the server acted. */
  | { readonly do: 'cut'; readonly when: Side }
  /** The caller gets this code instead of the answer; with `after`, although the server acted. */
  | { readonly do: 'answer'; readonly status: number; readonly when: Side; readonly retryAfterSeconds?: number }
  /** No answer ever: the caller waits until its own deadline. */
  | { readonly do: 'hang'; readonly when: Side }
  /** The process of the caller dies. It never gets anything any more. */
  | { readonly do: 'kill'; readonly when: Side }

/** What becomes of one line of a watch. The ones after it stay behind it. */
export type MessageFate =
  | { readonly do: 'deliver' }
  | { readonly do: 'delay'; readonly byMs: number }
  /** It waits until the gate opens. */
  | { readonly do: 'hold'; readonly gate: Gate }
  /** Told twice: a real server does so after a reconnect, and some versions of etcd did at once. */
  | { readonly do: 'duplicate' }
  /** Told after the next one: between two objects a real server may do so, for one object only a broken one. */
  | { readonly do: 'overtaken' }
  /** Never told: no healthy server does so. */
  | { readonly do: 'lose' }
  /** The connection breaks instead. */
  | { readonly do: 'cut' }
  /** The stream ends in peace instead. */
  | { readonly do: 'end' }
  /** The stream ends with 410 Gone instead. */
  | { readonly do: 'expire' }
  | { readonly do: 'kill' }

/** Something that is closed until somebody opens it. */
export interface Gate {
  readonly opened: Promise<void>
  readonly open: () => void
}

/** A closed gate. */
export function createGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}
