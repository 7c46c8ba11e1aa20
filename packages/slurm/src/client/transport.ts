/**
 * The wire as a value: bytes to one slurmrestd and back. HTTP is one way to carry them; a simulated Slurm in the same
 * process is another.
 *
 * @module
 */

/** One request as it goes out. The headers hold the token: never print this. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** One answer as it comes in: the body is read as it arrives, and reading it may fail half-way. */
export interface WireAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: AsyncIterable<Uint8Array>
}

/** One slurmrestd. */
export interface Transport {
  /** Must give up when the signal is aborted. Throws `TransportError` or anything else when there is no answer. */
  send(request: WireRequest, signal: AbortSignal): Promise<WireAnswer>
  close(): Promise<void>
}

/** Why there was no answer, in words that hold no secret. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  /** True when no byte of the request can have arrived. */
  readonly neverSent: boolean

  constructor(detail: string, neverSent: boolean, cause?: unknown) {
    super(detail, { cause })
    this.neverSent = neverSent
  }
}
