import { KubeError, type Clock, type HttpRequest, type Send, type Transport } from '@slurm-operator/kube'

/** May we write? To be asked before every write, to whatever system. */
export interface WriteGate {
  readonly mayWrite: () => boolean
}

/** For programs without an election. */
export const openGate: WriteGate = { mayWrite: () => true }

/**
 * The gate of an election. It opens with each renewal and closes by itself: nobody has to notice that we slept.
 *
 * A process may be stopped, or its machine suspended, for any time between two lines of code. The monotonic clock tells
 * of the former; during the latter it may stand still, and then the wall clock tells. Whichever says more counts; if
 * somebody only set the wall clock, the next renewal opens the gate again.
 */
export class LeaseGate implements WriteGate {
  readonly #clock: Clock
  readonly #openForMs: number
  #renewed: { readonly atMs: number; readonly wallMs: number } | undefined

  constructor(clock: Clock, openForMs: number) {
    this.#clock = clock
    this.#openForMs = openForMs
  }

  /** We had the Lease at this moment, which is before the request for it was sent. */
  renewedAt(atMs: number, wallMs: number): void {
    this.#renewed = { atMs, wallMs }
  }

  /** We no longer want to write. */
  close(): void {
    this.#renewed = undefined
  }

  readonly mayWrite = (): boolean => {
    const wallAgeMs = this.#renewed === undefined ? Infinity : this.#clock.now() - this.#renewed.wallMs
    return Math.max(this.ageMs(), wallAgeMs) < this.#openForMs
  }

  /** How long ago we surely had the Lease, by the clock that nobody sets. */
  ageMs(): number {
    return this.#renewed === undefined ? Infinity : this.#clock.monotonic() - this.#renewed.atMs
  }
}

/**
 * Refuse every write that is sent while we may not write. Reads go through. The transport asks once more when the
 * connection stands: a write may have waited for it, and we may have slept meanwhile.
 */
export function guardWrites(send: Send, gate: WriteGate): Send {
  return async (request) => {
    if (request.method === 'GET') return send(request)
    if (!gate.mayWrite()) throw notLeading(request)
    return send({ ...request, maySend: gate.mayWrite })
  }
}

/** The same for a whole transport: a client on it cannot write while we may not. */
export function guardTransport(transport: Transport, gate: WriteGate): Transport {
  return { ...transport, send: guardWrites(transport.send, gate) }
}

function notLeading({ purpose }: HttpRequest): KubeError {
  const detail = 'this process is not certain to be the leader any more. Another one goes on with the work.'
  return new KubeError({ reason: 'Aborted', request: purpose, detail, mayHaveHappened: false })
}
