import type { Server } from 'node:http'
import type { Life } from '../manager/component.ts'
import { untilAborted, whenAborted } from '../supervise/until-aborted.ts'

/**
 * Wait for the order to stop, then for open requests, and for nothing once there is no time left. Idle connections are
 * closed at once; the others when their answer is out.
 */
export async function untilClosed(server: Server, { stop, abort }: Pick<Life, 'stop' | 'abort'>): Promise<void> {
  await untilAborted(stop)
  const closed = new Promise<void>((resolve) => server.close(() => resolve())) // it stops listening now
  server.closeIdleConnections()
  const forget = whenAborted(abort, () => server.closeAllConnections())
  await closed
  forget()
}
