import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { goodNow } from '../gen.ts'
import { createAuthority } from '../issue-certificate.ts'
import type { KeyPair } from '../key-pair.ts'
import { SetClock } from '../own/gen.ts'
import { selfSigned } from './self-signed.ts'
import { certificateFiles } from './watch-files.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certificates-'))
})
afterEach(() => rm(folder, { recursive: true }))

function watch() {
  const clock = new SetClock(0)
  const used: string[] = []
  const failures: string[] = []
  const counts = { read: 0, failed: 0 }
  const stopping = new AbortController()
  const reads = { read: () => void counts.read++, failed: () => void counts.failed++ }
  const source = certificateFiles({
    folder: join(folder, 'data'),
    clock,
    reads,
    onFailure: (error) => failures.push(String(error)),
  })
  const ended = source.run(({ certificate }) => used.push(certificate), stopping.signal)
  const look = async () => {
    await expect.poll(() => clock.waiting.length, { interval: 2 }).toBe(1)
    clock.set(clock.now() + 10_000)
    await expect.poll(() => clock.waiting.length, { interval: 2 }).toBe(1)
  }
  const stop = async () => {
    stopping.abort()
    await ended
  }
  return { used, failures, counts, look, [Symbol.asyncDispose]: stop }
}

async function put(name: string, { certificate, key }: KeyPair): Promise<void> {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, 'tls.crt'), certificate)
  await writeFile(join(folder, name, 'tls.key'), key)
}

test('a mounted Secret that changes is not read again, or read as changed when it is not', async () => {
  const [one, other] = await Promise.all([createAuthority('one', goodNow()), createAuthority('other', goodNow())])
  await put('v1', one)
  await symlink('v1', join(folder, 'data'))
  await using watching = watch()
  await watching.look()
  await watching.look()
  expect(watching.used).toEqual([one.certificate])
  await put('v2', other)
  await symlink('v2', join(folder, 'data-new'))
  await rename(join(folder, 'data-new'), join(folder, 'data')) // as the kubelet does it
  await watching.look()
  expect(watching.used).toEqual([one.certificate, other.certificate])
  expect(watching.counts).toMatchObject({ failed: 0 })
})

test('files that are missing or half written end the server', async () => {
  const [one, other] = await Promise.all([createAuthority('one', goodNow()), createAuthority('other', goodNow())])
  await using watching = watch()
  await watching.look()
  expect(watching.failures[0]).toMatch(/Cannot read .*tls\.crt: ENOENT/)
  await put('data', one)
  await watching.look()
  await writeFile(join(folder, 'data', 'tls.crt'), other.certificate)
  await watching.look()
  await watching.look()
  expect(watching.failures.slice(1), 'told once').toEqual([
    expect.stringContaining('does not belong to the certificate'),
  ])
  await writeFile(join(folder, 'data', 'tls.key'), other.key)
  await watching.look()
  expect(watching.used).toEqual([one.certificate, other.certificate])
  expect(watching.counts.failed).toBeGreaterThanOrEqual(3)
})

test('a self-signed certificate ends while the server runs', async () => {
  const clock = new SetClock(Date.UTC(2030, 0, 1))
  const stopping = new AbortController()
  const used: KeyPair[] = []
  const ended = selfSigned(['localhost'], clock).run((pair) => used.push(pair), stopping.signal)
  await expect.poll(() => used.length).toBe(1)
  await expect.poll(() => clock.waiting.length).toBe(1)
  clock.set(clock.now() + 300 * 24 * 3600_000)
  await expect.poll(() => used.length).toBe(2)
  stopping.abort()
  await ended
})
