import { connect } from 'node:net'
import { killDaemon, whyEnded, type Daemon } from '../machine/daemon.ts'
import { findFreePorts } from '../machine/ports.ts'
import { until } from '../machine/until.ts'
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
      const started = await startFront(run, port, { host: addressOf('slurmrestd'), port: ports.slurmrestd })
      front = started
      await until(`port ${port} to open`, () => canConnect(port), {
        timeoutMs: 30_000,
        giveUpWhen: () => whyEnded(started),
      })
    },
    async close() {
      if (front === undefined) return
      await killDaemon(front)
      run.forget(front)
      front = undefined
    },
  }
}

async function canConnect(port: number): Promise<true> {
  const socket = connect(port, '127.0.0.1')
  try {
    return await new Promise((resolve, reject) => socket.once('connect', () => resolve(true)).once('error', reject))
  } finally {
    socket.destroy()
  }
}
