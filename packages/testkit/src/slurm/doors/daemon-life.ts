/** Whether a daemon runs, for those whose fate hangs on it. */
export class DaemonLife {
  #state: 'running' | 'ended' = 'running'
  #controller = new AbortController()
  readonly #listeners = new Set<() => unknown>()

  get state(): 'running' | 'ended' {
    return this.#state
  }

  /** Aborted at the end of the present life. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Told of every end and of every start. */
  onChange(listener: () => unknown): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  end(): void {
    this.#state = 'ended'
    this.#controller.abort(new Error('the daemon has ended'))
    for (const listener of this.#listeners) listener()
  }

  start(): void {
    if (this.#state === 'running') return
    this.#state = 'running'
    this.#controller = new AbortController()
    for (const listener of this.#listeners) listener()
  }
}
