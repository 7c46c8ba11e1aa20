/**
 * One at a time, across processes. The lock is a socket name in the kernel's abstract namespace: taking it is atomic, and
 * the kernel gives it back when its holder dies, however that happens. No file is left, so no stale lock exists.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** How long to wait for a lock, and whom to tell that we wait. */
export interface LockOptions {
  readonly timeoutMs: number
  readonly onWait?: () => void
}

/** Do `work` while holding the lock called `name`. */
export async function withLock<T>(name: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const release = await takeLock(name, options)
  try {
    return await work()
  } finally {
    await release()
  }
}

async function takeLock(name: string, { timeoutMs, onWait }: LockOptions): Promise<() => Promise<void>> {
  const endMs = performance.now() + timeoutMs
  for (let tries = 0; ; tries++) {
    const release = await tryLock(name)
    if (release !== undefined) return release
    if (tries === 0) onWait?.()
    if (performance.now() > endMs)
      throw new Error(`Cannot get hold of ${name}: another process has kept it for ${Math.round(timeoutMs / 1000)} s`)
    await sleep(200)
  }
}

async function tryLock(name: string): Promise<(() => Promise<void>) | undefined> {
  const server = createServer((socket) => socket.destroy())
  server.unref() // holding a lock must not keep a finished program alive
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen(socketName(name), () => resolve(() => new Promise((closed) => server.close(() => closed()))))
  })
}

// Abstract names are short and shared by all users of the machine: hash what the lock is about, user included.
function socketName(name: string): string {
  return `\0slurm-operator-${createHash('sha256').update(`${process.getuid?.()}:${name}`).digest('hex').slice(0, 32)}`
}
