import { createServer } from 'node:net'

/**
 * Ports on the loopback interface that nobody uses right now. All are held at the same time while they are chosen, so
 * they differ; between this and their use somebody else may still take one, hence callers try again.
 */
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
