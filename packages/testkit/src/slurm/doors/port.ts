/**
 * A simulated slurmrestd at a port of the machine, for other processes. It needs real time: give the simulation the
 * system's clock.
 *
 * `node:http` reads the requests. Answers that `node:http` is too polite for are written by hand: 26.05 sends texts
 * twice, and all releases write a stray line after the body of a connection that was asked to close.
 *
 * @module
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { RestAnswer } from '../rest/answer.ts'
import type { RestRequest } from '../rest/call.ts'
import { answerPieces } from '../rest/write-json.ts'
import { serveRequest, type RestdServer } from '../serve.ts'
import type { DaemonLife } from './daemon-life.ts'

/** A port behind which a simulated slurmrestd answers. It is closed while the daemon does not run. */
export interface SlurmDoor extends AsyncDisposable {
  readonly url: string
  /** Wait until the port is as the daemon is: open or closed. */
  readonly settled: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Open it. */
export async function openPort(server: RestdServer, life: DaemonLife, wantedPort = 0): Promise<SlurmDoor> {
  let http = listenable(server, life)
  const port = await listen(http, wantedPort)
  let changing = Promise.resolve()
  const follow = async (before: Promise<void>): Promise<void> => {
    await before
    if (life.state === 'ended') return shut(http)
    http = listenable(server, life)
    await listen(http, port)
  }
  const stop = life.onChange(() => (changing = follow(changing)))
  const close = async (): Promise<void> => {
    stop()
    await changing
    await shut(http)
  }
  return { url: `http://127.0.0.1:${port}`, settled: () => changing, close, [Symbol.asyncDispose]: close }
}

function listenable(server: RestdServer, life: DaemonLife): Server {
  return createServer((incoming, outgoing) => {
    converse(server, life, incoming, outgoing).catch(() => outgoing.destroy())
  })
}

async function listen(http: Server, port: number): Promise<number> {
  http.listen(port, '127.0.0.1')
  await once(http, 'listening')
  return (http.address() as AddressInfo).port
}

async function shut(http: Server): Promise<void> {
  if (!http.listening) return
  const closed = once(http, 'close')
  http.close()
  http.closeAllConnections()
  await closed
}

async function converse(
  server: RestdServer,
  life: DaemonLife,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const left = new AbortController()
  outgoing.once('close', () => left.abort())
  const request = await requestFrom(incoming)
  const { answer, isCut } = await serveRequest(server, request, AbortSignal.any([left.signal, life.signal]))
  if (isCut) sendHalf(outgoing, answer)
  else if (answer.isDoubled) outgoing.socket?.end(rawText(answer).repeat(2))
  else if (request.headers['connection'] === 'close')
    outgoing.socket?.end(`${rawText(answer)}Connection: Close\r\n\r\n`)
  else await send(outgoing, answer)
}

async function requestFrom(incoming: IncomingMessage): Promise<RestRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
  return {
    method: incoming.method ?? 'GET',
    path: incoming.url ?? '/',
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: Buffer.concat(chunks).toString(),
  }
}

/** With its length, as slurmrestd does; lists are not put into one text for that. */
async function send(outgoing: ServerResponse, answer: RestAnswer): Promise<void> {
  outgoing.sendDate = false
  if (answer.status === 304) {
    outgoing.writeHead(304)
    outgoing.end()
    return
  }
  const pieces = [...answerPieces(answer)]
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  outgoing.writeHead(answer.status, { 'content-length': length, 'content-type': answer.contentType })
  await pipeline(Readable.from(inChunks(pieces)), outgoing)
}

const PIECES_AT_ONCE = 32

function* inChunks(pieces: readonly string[]): Generator<Buffer> {
  for (let at = 0; at < pieces.length; at += PIECES_AT_ONCE)
    yield Buffer.from(pieces.slice(at, at + PIECES_AT_ONCE).join(''))
}

function sendHalf(outgoing: ServerResponse, answer: RestAnswer): void {
  const text = rawText(answer)
  outgoing.socket?.end(text.slice(0, text.length / 2))
}

function rawText(answer: RestAnswer): string {
  const body = [...answerPieces(answer)].join('')
  const head = `Connection: Close\r\nContent-Length: ${Buffer.byteLength(body)}\r\nContent-Type: ${answer.contentType}`
  return `HTTP/1.1 ${answer.status} WHATEVER\r\n${head}\r\n\r\n${body}`
}
