/**
 * One installation at a time. The lock is a name in the kernel (an abstract Unix socket), not a file: it cannot be
 * left behind, because the kernel frees it when its last holder ends, however it ends. The installer inherits it, so
 * an installer that outlives its parent keeps the others waiting too.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** @typedef {{ fd: number | undefined, release: () => Promise<void> }} InstallLock */

/**
 * Take the lock of one clone, waiting while another process has it.
 *
 * @param {string} root
 * @param {{ onWait: () => void, lookAgainInMs?: number }} options
 * @returns {Promise<InstallLock>}
 */
export async function takeInstallLock(root, { onWait, lookAgainInMs = 200 }) {
  const name = `\0slurm-operator-install-${createHash('sha256').update(realpathSync(root)).digest('hex').slice(0, 32)}`
  for (let attempt = 0; ; attempt++) {
    const lock = await tryToTake(name)
    if (lock !== undefined) return lock
    if (attempt === 0) onWait()
    await sleep(lookAgainInMs)
  }
}

/**
 * @param {string} name
 * @returns {Promise<InstallLock | undefined>}
 */
function tryToTake(name) {
  const server = createServer((connection) => connection.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.listen(name, () => resolve({ fd: descriptorOf(server), release: () => close(server) }))
  })
}

/**
 * Node has no public name for the descriptor of a server; without it the lock still holds as long as we live.
 *
 * @param {object} server
 * @returns {number | undefined}
 */
function descriptorOf(server) {
  const { _handle: handle } = /** @type {{ _handle?: { fd?: number } }} */ (server)
  return handle?.fd !== undefined && handle.fd >= 0 ? handle.fd : undefined
}

/**
 * @param {import('node:net').Server} server
 * @returns {Promise<void>}
 */
function close(server) {
  return new Promise((resolve) => void server.close(() => resolve()))
}
