/** The life of a component, seen from inside. */
export interface Life {
  /** Aborted when it is to end: begin nothing new, finish what you do. */
  readonly stop: AbortSignal
  /** Aborted when there is no time left: drop everything. Never before `stop`. */
  readonly abort: AbortSignal
  /** To be called once when it does its work: it serves, has synced, leads. */
  readonly ready: () => void
}

/** A part of the program that runs as long as the program does. */
export interface Component {
  readonly name: string
  /**
   * Run until told to stop; resolves when nothing of it is left. To end earlier, or to throw, ends the program: half
   * an operator is worse than one that is started again.
   */
  readonly run: (life: Life) => Promise<void>
}

/** Components that start together, after those of the stage before are ready; they stop before those do. */
export interface Stage {
  readonly name: string
  readonly components: readonly Component[]
  /** Default: for ever. */
  readonly readyWithinMs?: number
}
