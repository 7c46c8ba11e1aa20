/**
 * The relay program. It is started inside the network of a run: `node inside.ts SOCKET-FILE [DNS-SERVER]`.
 *
 * @module
 */
import { Resolver } from 'node:dns/promises'
import { rmSync } from 'node:fs'
import { connect, createServer, isIP, type Socket } from 'node:net'
import { join, readLine, sendLine, type RelayRequest } from './protocol.ts'

const CONNECT_TIMEOUT_MS = 10_000

const [socketFile = '', dnsServer] = process.argv.slice(2)
const resolver = new Resolver({ timeout: 2_000, tries: 2 })
if (dnsServer !== undefined) resolver.setServers([dnsServer])

rmSync(socketFile, { force: true })
createServer({ allowHalfOpen: true }, (caller) => void serve(caller)).listen(socketFile)

async function serve(caller: Socket): Promise<void> {
  caller.on('error', () => caller.destroy())
  try {
    const request = (await readLine(caller)) as RelayRequest
    await (request.do === 'connect' ? connectFor(caller, request) : listenFor(caller, request))
  } catch (error) {
    sendLine(caller, { ok: false, because: error instanceof Error ? error.message : String(error) })
    caller.end()
  }
}

async function connectFor(caller: Socket, { host, port }: RelayRequest): Promise<void> {
  const target = connect({ host: await addressOf(host), port, allowHalfOpen: true })
  target.setTimeout(CONNECT_TIMEOUT_MS, () =>
    target.destroy(new Error(`no answer from ${host}:${port} in ${CONNECT_TIMEOUT_MS / 1000} s`)),
  )
  await new Promise((resolve, reject) => target.once('connect', resolve).once('error', reject))
  target.setTimeout(0)
  sendLine(caller, { ok: true, port })
  join(caller, target)
}

async function listenFor(caller: Socket, request: RelayRequest): Promise<void> {
  if (request.do !== 'listen') return
  const server = createServer({ allowHalfOpen: true }, (visitor) =>
    join(visitor, connect({ path: request.to, allowHalfOpen: true })),
  )
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(request.port, request.host, resolve))
  const address = server.address()
  caller.once('close', () => server.close())
  caller.once('end', () => caller.destroy())
  caller.resume() // or its end is never noticed
  sendLine(caller, { ok: true, port: typeof address === 'object' && address !== null ? address.port : request.port })
}

async function addressOf(host: string): Promise<string> {
  if (isIP(host) !== 0) return host
  const [first] = await resolver.resolve4(host)
  if (first === undefined) throw new Error(`${host} has no address`)
  return first
}
