import { createServer } from 'node:net'

const TRIES = 3

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
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Cannot find a free port on 127.0.0.1')
  return { port: address.port, close: () => new Promise((resolve) => server.close(() => resolve())) }
}
