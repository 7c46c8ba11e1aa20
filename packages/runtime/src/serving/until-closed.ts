import type { Server } from 'node:http'
import { sleep, type Clock } from '@slurm-operator/kube'
import type { Life } from '../manager/component.ts'
import { untilAborted, whenAborted } from '../supervise/until-aborted.ts'

/** How long a server that is to end goes on serving: so long it takes until everybody has heard that it will. */
export interface Farewell {
  readonly clock: Clock
  readonly forMs: number
}

/**
 * Wait for the order to stop, then for the farewell, then for open requests, and for nothing once there is no time left.
 * Idle connections are closed after the farewell; the others when their answer is out.
 */
export async function untilClosed(
  server: Server,
  { stop, abort }: Pick<Life, 'stop' | 'abort'>,
  farewell?: Farewell,
): Promise<void> {
  await untilAborted(stop)
  if (farewell !== undefined) await sleep(farewell.clock, farewell.forMs, abort).catch(() => {}) // no time left
  const closed = new Promise<void>((resolve) => server.close(() => resolve())) // it stops listening now
  server.closeIdleConnections()
  const forget = whenAborted(abort, () => server.closeAllConnections())
  await closed
  forget()
}
