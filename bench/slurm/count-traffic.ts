import { httpTransport, type HttpTransportOptions, type Transport } from '@slurm-operator/slurm'
import type { Traffic } from './orders.ts'

/** Counts what goes over the wire. */
export class TrafficCounter {
  #requests = 0
  #bytes = 0

  /** HTTP as always, and counted. */
  readonly openTransport = (options: HttpTransportOptions): Transport => {
    const plain = httpTransport(options)
    return {
      close: () => plain.close(),
      send: async (request, signal) => {
        this.#requests++
        const answer = await plain.send(request, signal)
        return { ...answer, body: this.counted(answer.body) }
      },
    }
  }

  /** What was counted since it was last taken. */
  take(): Traffic {
    const taken = { requests: this.#requests, bytes: this.#bytes }
    this.#requests = 0
    this.#bytes = 0
    return taken
  }

  /** The same bytes, counted as they pass. */
  async *counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      this.#bytes += chunk.length
      yield chunk
    }
  }
}
