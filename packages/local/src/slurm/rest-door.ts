import { killDaemon, type Daemon } from '../machine/daemon.ts'
import { findFreePorts } from '../machine/ports.ts'
import { startFront } from '../relay/start-relay.ts'
import type { Run } from '../runs/run.ts'
import { addressOf, ports } from './layout.ts'

/**
 * The port of the machine behind which slurmrestd is. It is closed while slurmrestd is away, so that clients see what
 * they would see without it in between: a refused connection.
 */
export interface RestDoor {
  readonly url: string
  open(): Promise<void>
  close(): Promise<void>
}

/** Choose a port; it stays the same each time the door is opened again. */
export async function createRestDoor(run: Run): Promise<RestDoor> {
  const [port = 0] = await findFreePorts(1)
  let front: Daemon | undefined
  return {
    url: `http://127.0.0.1:${port}`,
    async open() {
      front = await startFront(run, port, { host: addressOf('slurmrestd'), port: ports.slurmrestd })
    },
    async close() {
      if (front === undefined) return
      await killDaemon(front)
      run.forget(front)
      front = undefined
    },
  }
}
