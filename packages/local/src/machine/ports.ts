import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

const TRIES = 3
/**
 * Below the ports that the kernel gives to outgoing connections: one of those could take the port of a server that is
 * just being started again.
 */
const [LOWEST, HIGHEST] = [15_000, 29_999]
const MOST_TAKEN = 100

/**
 * Start something on ports of the loopback interface that nobody uses. Between choosing a port and using it somebody else
 * may take it; then it is tried again with others.
 */
export async function onFreePorts<T>(count: number, start: (ports: readonly number[]) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(await findFreePorts(count))
    } catch (error) {
      const isTaken = error instanceof Error && /address already in use|EADDRINUSE/i.test(error.message)
      if (!isTaken || tries === TRIES) throw error
    }
  }
}

/** Ports that nobody uses right now. All are held at the same time while they are chosen, so they differ. */
export async function findFreePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listenAnywhere()))
  await Promise.all(servers.map(({ close }) => close()))
  return servers.map(({ port }) => port)
}

async function listenAnywhere(): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer()
  const port = await listenOnOne(server)
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** Somebody else's ports are passed over. */
async function listenOnOne(server: Server): Promise<number> {
  for (let taken = 0; taken < MOST_TAKEN; taken++) {
    const port = randomInt(LOWEST, HIGHEST + 1)
    const isOurs = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
    })
    if (isOurs) return port
  }
  throw new Error(`Cannot find a free port on 127.0.0.1: ${MOST_TAKEN} between ${LOWEST} and ${HIGHEST} are taken.`)
}
