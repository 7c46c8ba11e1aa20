import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { dirname, join as joinPath } from 'node:path'
import { join, readLine, sendLine, type RelayAnswer, type RelayRequest } from './protocol.ts'

/** A connection to an address or name inside the network of a run. */
export async function dial(socketFile: string, host: string, port: number): Promise<Socket> {
  return (await ask(socketFile, { do: 'connect', host, port }, `connect to ${host}:${port}`)).socket
}

/** A port on the machine's loopback that leads to a target inside, for clients that want a URL. */
export interface Forward extends AsyncDisposable {
  readonly port: number
  close(): Promise<void>
}

/** Open such a port. */
export async function forward(socketFile: string, host: string, port: number): Promise<Forward> {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (caller) => {
    open.add(caller.on('error', () => caller.destroy()).once('close', () => open.delete(caller)))
    dial(socketFile, host, port).then(
      (target) => join(caller, target),
      () => caller.destroy(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const close = () => closeAll(server, open)
  return { port: portOf(server), close, [Symbol.asyncDispose]: close }
}

/** A port inside the network of a run that leads to a port of this process, so that the run can call us. */
export async function serveInside(
  socketFile: string,
  inside: { host: string; port: number },
  ownPort: number,
): Promise<Forward> {
  const doorFile = joinPath(dirname(socketFile), `serve-${randomBytes(3).toString('hex')}.sock`)
  const open = new Set<Socket>()
  const door = createServer({ allowHalfOpen: true }, (visitor) => {
    open.add(visitor.once('close', () => open.delete(visitor)))
    join(visitor, connect({ host: '127.0.0.1', port: ownPort, allowHalfOpen: true }))
  })
  await new Promise<void>((resolve, reject) => door.once('error', reject).listen(doorFile, resolve))
  const { socket, answer } = await ask(
    socketFile,
    { do: 'listen', ...inside, to: doorFile },
    `listen on ${inside.host}:${inside.port}`,
  )
  socket.resume()
  const close = async () => {
    socket.destroy()
    await closeAll(door, open)
    rmSync(doorFile, { force: true })
  }
  return { port: answer.port, close, [Symbol.asyncDispose]: close }
}

async function ask(
  socketFile: string,
  request: RelayRequest,
  what: string,
): Promise<{ socket: Socket; answer: { port: number } }> {
  const socket = connect({ path: socketFile, allowHalfOpen: true })
  socket.on('error', () => socket.destroy())
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  sendLine(socket, request)
  const answer = (await readLine(socket)) as RelayAnswer
  if (answer.ok) return { socket, answer }
  socket.destroy()
  throw new Error(`Cannot ${what}: ${answer.because}`)
}

async function closeAll(server: ReturnType<typeof createServer>, open: ReadonlySet<Socket>): Promise<void> {
  for (const socket of open) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Cannot open a port on 127.0.0.1')
  return address.port
}
