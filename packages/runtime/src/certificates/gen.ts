import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import type { Validity } from './issue-certificate.ts'

/** Test data: good from an hour ago for a day. */
export function goodNow(nowMs = Date.now()): Validity {
  return { fromMs: nowMs - 3600_000, untilMs: nowMs + 24 * 3600_000 }
}

/** Whether `openssl` is on this machine. */
export function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore', timeout: 5000 })
    return true
  } catch {
    return false
  }
}

/** What `openssl` says, with some files beside it. */
export function openssl(files: Readonly<Record<string, string>>, ...words: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'openssl-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return execFileSync('openssl', words, { cwd: folder, encoding: 'utf8', timeout: 10_000, stdio: 'pipe' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Shake hands with a server as a client that trusts only these authorities; what it presented. */
export async function handshake(port: number, authorities: string, servername = 'localhost'): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect({ port, host: '127.0.0.1', ca: authorities, servername, timeout: 5000 })
  socket.once('secureConnect', () => resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? ''))
  socket.once('error', reject)
  socket.once('timeout', () => reject(new Error('no handshake within 5 s')))
  return promise.finally(() => socket.destroy())
}
