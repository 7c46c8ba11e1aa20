import { KubeError, type Clock } from '@slurm-operator/kube'

/** What ends a stream from the reader's side. */
export interface PipeOptions {
  readonly clock: Clock
  /** What the stream is for, in words, for errors. */
  readonly purpose: string
  readonly signal?: AbortSignal | undefined
  /** The longest silence that the reader believes. */
  readonly idleMs?: number | undefined
  /** Called once when nobody reads any more, for whatever reason. */
  readonly closed?: () => void
}

interface Reader {
  readonly resolve: (result: IteratorResult<Uint8Array, void>) => void
  readonly reject: (error: KubeError) => void
}

/** A stream of bytes between two parts of one process. What was pushed is read before an end or an error is. */
export class BytePipe implements AsyncIterable<Uint8Array> {
  readonly #options: PipeOptions
  readonly #chunks: Uint8Array[] = []
  #ending: 'open' | 'ended' | KubeError = 'open'
  #reader: Reader | undefined
  #stopIdle = () => {}
  readonly #abort = () => {
    const { purpose, signal } = this.#options
    this.#drop(new KubeError({ reason: 'Aborted', request: purpose, detail: 'the caller gave up' }, signal?.reason))
  }

  constructor(options: PipeOptions) {
    this.#options = options
    options.signal?.addEventListener('abort', this.#abort, { once: true })
    if (options.signal?.aborted === true) this.#abort()
  }

  /** Whether somebody may still read. */
  get isOpen(): boolean {
    return this.#ending === 'open'
  }

  push(chunk: Uint8Array | string): void {
    if (!this.isOpen) return
    this.#chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    this.#serve()
  }

  /** Nothing follows, in peace. */
  end(): void {
    this.#finish('ended')
  }

  /** Nothing follows: the connection broke. */
  fail(error: KubeError): void {
    this.#finish(error)
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, void> {
    return {
      next: () =>
        new Promise((resolve, reject) => {
          this.#reader = { resolve, reject }
          this.#watchSilence()
          this.#serve()
        }),
      return: () => {
        this.#drop('ended')
        return Promise.resolve({ done: true, value: undefined })
      },
    }
  }

  /** Silence counts only while somebody listens. */
  #watchSilence(): void {
    const { idleMs, clock, purpose } = this.#options
    if (idleMs === undefined || this.#chunks.length > 0 || !this.isOpen) return
    const detail = `nothing was heard within ${Math.round(idleMs / 100) / 10} s`
    this.#stopIdle = clock.schedule(idleMs, () => {
      this.#drop(new KubeError({ reason: 'Unreachable', request: purpose, detail, mayHaveHappened: true }))
    })
  }

  #serve(): void {
    const reader = this.#reader
    if (reader === undefined) return
    const chunk = this.#chunks.shift()
    if (chunk === undefined && this.#ending === 'open') return
    this.#reader = undefined
    this.#stopIdle()
    if (chunk !== undefined) reader.resolve({ done: false, value: chunk })
    else if (this.#ending instanceof KubeError) reader.reject(this.#ending)
    else reader.resolve({ done: true, value: undefined })
  }

  #drop(ending: 'ended' | KubeError): void {
    this.#chunks.length = 0
    this.#finish(ending)
  }

  #finish(ending: 'ended' | KubeError): void {
    if (this.#ending !== 'open') return
    this.#ending = ending
    this.#options.signal?.removeEventListener('abort', this.#abort)
    this.#serve()
    this.#options.closed?.()
  }
}
