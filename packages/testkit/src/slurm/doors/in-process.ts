import { TransportError, type Transport, type WireAnswer } from '@slurm-operator/slurm'
import { answerPieces } from '../rest/write-json.ts'
import { serveRequest, type RestdServer, type Served } from '../serve.ts'
import type { DaemonLife } from './daemon-life.ts'

/** The way to a simulated slurmrestd in the same process, on any clock. */
export function inProcessTransport(server: RestdServer, life: DaemonLife): Transport {
  return {
    close: async () => {},
    send: async ({ method, path, headers, body }, signal) => {
      if (life.state === 'ended') throw new TransportError('the connection was refused', true)
      const gone = AbortSignal.any([signal, life.signal])
      try {
        return toWire(await serveRequest(server, { method, path, headers, body: body ?? '' }, gone))
      } catch (error) {
        throw new TransportError(error instanceof Error ? error.message : 'the connection ended', false, error)
      }
    },
  }
}

function toWire({ answer, isCut }: Served): WireAnswer {
  const { status, contentType } = answer
  return { status, contentType, body: isCut ? half(answerPieces(answer)) : bytes(answerPieces(answer)) }
}

const PIECES_AT_ONCE = 32

async function* bytes(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  let held: string[] = []
  for (const piece of pieces) {
    held.push(piece)
    if (held.length < PIECES_AT_ONCE) continue
    yield Buffer.from(held.join(''))
    held = []
  }
  if (held.length > 0) yield Buffer.from(held.join(''))
}

async function* half(pieces: Iterable<string>): AsyncGenerator<Uint8Array> {
  const whole = Buffer.from([...pieces].join(''))
  yield whole.subarray(0, whole.length / 2)
  throw new TransportError('the connection ended in the middle', false)
}
