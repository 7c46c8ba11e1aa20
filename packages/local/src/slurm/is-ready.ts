import { once } from 'node:events'
import type { Socket } from 'node:net'
import { dial } from '../relay/dial.ts'
import type { DaemonPlan } from './build-daemon.ts'
import { addressOf } from './layout.ts'

const ANSWER_TIMEOUT_MS = 5_000

/** Ask a daemon whether it is ready, in the way it offers. Throws while nobody listens. */
export async function isReady(relaySocket: string, { name, probe }: DaemonPlan): Promise<boolean> {
  const socket = await dial(relaySocket, addressOf(name), probe.port)
  try {
    return probe.by === 'tcp' || (await answersReady(socket))
  } finally {
    socket.destroy()
  }
}

// By hand: one line out, one line in, and Node's own client stumbles over Slurm's answers.
async function answersReady(socket: Socket): Promise<boolean> {
  socket.write('GET /readyz HTTP/1.1\r\nHost: local\r\n\r\n')
  const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) })) as [Buffer]
  return answer.toString().startsWith('HTTP/1.1 204')
}
