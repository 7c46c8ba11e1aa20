/**
 * How a process of the machine reaches into the network of a run, and is reached from there.
 *
 * A relay runs inside that network and listens on a socket file. Each connection to the file starts with one line of JSON,
 * the request, and is answered with one line; after that the bytes of the caller follow. So no address of a run is ever
 * routed on the machine, and two runs may use the same addresses.
 *
 * @module
 */
import type { Socket } from 'node:net'

/** What a relay can be asked for. */
export type RelayRequest =
  | { readonly do: 'connect'; readonly host: string; readonly port: number }
  /** Listen inside, and hand each connection to the socket file `to`, for as long as the asking connection is open. */
  | { readonly do: 'listen'; readonly host: string; readonly port: number; readonly to: string }

/** Its answer. */
export type RelayAnswer =
  | { readonly ok: true; readonly port: number }
  | { readonly ok: false; readonly because: string }

const LONGEST_LINE = 4096

/** Write one line. */
export function sendLine(socket: Socket, message: RelayRequest | RelayAnswer): void {
  socket.write(`${JSON.stringify(message)}\n`)
}

/** Read the first line of a connection and leave what follows for the next reader. */
export async function readLine(socket: Socket): Promise<unknown> {
  return JSON.parse(await firstLine(socket))
}

async function firstLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = Buffer.alloc(0)
    const done = (finish: () => void) => {
      socket.off('readable', onReadable)
      socket.off('close', onClose)
      socket.off('error', onClose)
      finish()
    }
    const onClose = () => done(() => reject(new Error('the connection was closed before the first line')))
    const onReadable = () => {
      for (let chunk: Buffer | null; (chunk = socket.read() as Buffer | null) !== null;) {
        text = Buffer.concat([text, chunk])
        const end = text.indexOf(0x0a)
        if (end >= 0) {
          socket.unshift(text.subarray(end + 1))
          return done(() => resolve(text.subarray(0, end).toString()))
        }
        if (text.length > LONGEST_LINE) return done(() => reject(new Error('the first line is too long')))
      }
    }
    socket.on('readable', onReadable)
    socket.once('close', onClose)
    socket.once('error', onClose)
  })
}

/** Join two connections: each end is passed on after the last byte, and a broken one breaks the other. */
export function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to)
    from.on('error', () => to.destroy())
    // After a proper end the rest is still on its way to the other side; only a broken one takes it along.
    from.on('close', () => from.readableEnded || to.destroy())
  }
}

/** What a front says, in its log, when it has its port. */
export const FRONT_IS_OPEN = 'open'
