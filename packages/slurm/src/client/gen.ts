/**
 * Test data of this room: a slurmrestd on a socket that answers from recordings and misbehaves on request, byte by byte
 * where `node:http` would be too well-behaved.
 *
 * @module
 */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { recorded } from '../model/gen.ts'
import { Secret } from '../tokens/secret.ts'
import type { TokenSource } from '../tokens/token-source.ts'
import { systemClock } from './clock.ts'
import { Endpoint } from './endpoint.ts'
import { httpTransport } from './http-transport.ts'
import { slurmClient, type SlurmClient } from './slurm-client.ts'

/** A request as it arrived. */
interface Arrived {
  readonly method: string
  /** Path and query, as sent. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An answer to send, and how. */
export interface FakeAnswer {
  readonly status: number
  readonly contentType?: string
  readonly body?: unknown
  readonly manner?: Manner
}

/** What is wrong with the way an answer is sent. */
type Manner =
  | 'doubled' // twice, as 26.05 does with 401 and 404
  | 'stray-bytes' // with text after the end of the body
  | 'cut' // half of the body, then the connection ends
  | 'hang' // never
  | 'reset' // the connection ends without an answer
  | 'no-length' // until the end of the connection

/** Decides what is answered. */
export type Answering = (request: Arrived) => FakeAnswer | Promise<FakeAnswer>

/** A slurmrestd that is none. */
export interface FakeRestd extends AsyncDisposable {
  readonly url: string
  readonly requests: Arrived[]
  /** How many connections were ever opened, and the most that were open at a time. */
  readonly connections: { total: number; open: number; most: number }
  answering: Answering
}

/** The versions that releases serve. */
export const served = {
  '24.11': ['v0.0.40', 'v0.0.41', 'v0.0.42'],
  '26.05': ['v0.0.42', 'v0.0.43', 'v0.0.44', 'v0.0.45'],
} as const

/** Start one on a free port. */
export async function startFakeRestd(answering: Answering): Promise<FakeRestd> {
  const sockets = new Set<Socket>()
  const connections = { total: 0, open: 0, most: 0 }
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    connections.total++
    connections.most = Math.max(connections.most, ++connections.open)
    socket.on('close', () => {
      connections.open--
      sockets.delete(socket)
    })
    socket.on('error', () => {}) // clients go away in the middle of answers: that is the point
    converse(socket, fake)
  })
  const fake: FakeRestd = {
    url: '',
    requests: [],
    connections,
    answering,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Cannot listen on a free port')
  return Object.assign(fake, { url: `http://127.0.0.1:${address.port}` })
}

/** Read requests one after the other; each is answered before the next is read. */
function converse(socket: Socket, fake: FakeRestd): void {
  let held = Buffer.alloc(0)
  let busy = Promise.resolve()
  socket.on('data', (chunk) => {
    held = Buffer.concat([held, Buffer.from(chunk)])
    for (let next = takeRequest(held); next; next = takeRequest(held)) {
      held = Buffer.from(next.rest)
      const { request } = next
      fake.requests.push(request)
      busy = busy.then(async () => send(socket, await fake.answering(request)))
    }
  })
}

function takeRequest(held: Buffer): { readonly request: Arrived; readonly rest: Uint8Array } | undefined {
  const headEnd = held.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [first = '', ...lines] = held.subarray(0, headEnd).toString('latin1').split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = Object.fromEntries(lines.map((line) => splitHeader(line)))
  const end = headEnd + 4 + Number(headers['content-length'] ?? 0)
  if (held.length < end) return undefined
  return {
    request: { method, path, headers, body: held.subarray(headEnd + 4, end).toString() },
    rest: held.subarray(end),
  }
}

function splitHeader(line: string): [string, string] {
  const at = line.indexOf(':')
  return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
}

function send(socket: Socket, answer: FakeAnswer): void {
  if (answer.manner === 'hang') return
  if (answer.manner === 'reset') {
    socket.destroy()
    return
  }
  const body = bodyOf(answer)
  const text = `${headOf(answer, body)}${body}`
  switch (answer.manner) {
    case 'doubled':
      socket.end(text + text)
      return
    case 'cut':
      socket.end(text.slice(0, text.length - Math.ceil(body.length / 2)))
      return
    case 'no-length':
      socket.end(text)
      return
    case 'stray-bytes':
      socket.write(`${text}Connection: Close\r\n\r\n`)
      return
    default:
      socket.write(text)
  }
}

function bodyOf({ body }: FakeAnswer): string {
  if (body === undefined) return ''
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function headOf({ status, contentType, body, manner }: FakeAnswer, text: string): string {
  const type = contentType ?? (typeof body === 'string' ? 'text/plain' : 'application/json')
  const length = manner === 'no-length' ? '' : `Content-Length: ${Buffer.byteLength(text)}\r\n`
  const ending = manner === 'doubled' || manner === 'no-length' ? 'Connection: Close\r\n' : ''
  if (status === 304) return `HTTP/1.1 304 NOT MODIFIED\r\n\r\n`
  return `HTTP/1.1 ${status} WHATEVER\r\n${ending}${length}Content-Type: ${type}\r\n\r\n`
}

/** A recorded answer, sent the way 26.05 sends it. */
export function answerOf(name: string): FakeAnswer {
  const { status, body } = recorded(name).response
  const isText = typeof body === 'string'
  const manner = status === 401 || (status === 404 && isText) ? { manner: 'doubled' as const } : {}
  return { status, body, contentType: isText ? 'text/plain' : 'application/json', ...manner }
}

/** A daemon of a release: pings, paths it does not know, and what the test adds under paths without their version. */
export function daemonOf(
  release: keyof typeof served,
  answers: Readonly<Record<string, Answering | FakeAnswer>> = {},
): Answering {
  return async (request) => {
    const [, , version = '', ...rest] = (request.path.split('?')[0] ?? '').split('/')
    const path = `/${rest.join('/')}`
    if (request.headers['x-slurm-user-token'] === undefined) return answerOf('error-401-no-token')
    if (!(served[release] as readonly string[]).includes(version)) return answerOf('error-404-version')
    const answer =
      answers[`${request.method} ${path}`] ??
      (path === '/ping/' ? pingOf(release, version) : answerOf('error-404-path'))
    return typeof answer === 'function' ? answer(request) : answer
  }
}

/** A ping as this release answers it. */
export function pingOf(release: keyof typeof served, version = 'v0.0.42'): FakeAnswer {
  return answerOf(release === '24.11' ? 'slurm-24.11-ping' : `ping-${version}`)
}

/** Tokens `token-1`, `token-2` …: a new one after each refusal. */
export function countingTokens(): TokenSource & { refused: number } {
  let current = new Secret('token-1')
  const source = {
    refused: 0,
    current: async () => current,
    refuse: (token: Secret) => {
      if (token !== current) return
      source.refused++
      current = new Secret(`token-${source.refused + 1}`)
    },
    onChange: () => () => {},
    close: () => {},
  }
  return source
}

/** A client of one fake. */
export function clientOf(
  fake: FakeRestd,
  tokens: TokenSource = countingTokens(),
): SlurmClient & AsyncDisposable & { endpoint: Endpoint } {
  const endpoint = new Endpoint({
    url: fake.url,
    transport: httpTransport({ url: fake.url }),
    tokens,
    clock: systemClock,
  })
  return { ...slurmClient(endpoint), endpoint, [Symbol.asyncDispose]: () => endpoint.close() }
}
