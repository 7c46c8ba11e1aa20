import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeInstallLock } from './install-lock.mjs'

let root: string
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'install-lock-'))))
afterEach(() => rmSync(root, { recursive: true }))

const take = (onWait = () => {}) => takeInstallLock(root, { onWait, lookAgainInMs: 10 })

test('the second waits until the first is done, and is told so once', async () => {
  const order: string[] = []
  const first = await take()
  const second = take(() => order.push('waits')).then((lock) => (order.push('has it'), lock))
  await new Promise((resolve) => setTimeout(resolve, 60))
  order.push('released')
  await first.release()
  await (await second).release()
  expect(order).toEqual(['waits', 'released', 'has it'])
})

test('of many at once only one holds it at any time', async () => {
  let holders = 0
  const most: number[] = []
  const work = async (): Promise<void> => {
    const lock = await take()
    most.push(++holders)
    await new Promise((resolve) => setTimeout(resolve, 5))
    holders--
    await lock.release()
  }
  await Promise.all(Array.from({ length: 8 }, work))
  expect(most).toEqual(Array.from({ length: 8 }, () => 1))
})

test('two clones do not wait for each other', async () => {
  const other = mkdtempSync(join(tmpdir(), 'install-lock-'))
  const [here, there] = [await take(), await takeInstallLock(other, { onWait: () => {} })]
  await Promise.all([here.release(), there.release()])
  rmSync(other, { recursive: true })
})

test('a killed holder leaves nothing behind that would stop the next', async () => {
  const holder = await startHolder('setInterval(() => {}, 1000)')
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const lock = await take()
  await lock.release()
})

test('an installer that outlives its killed parent still keeps others out', async () => {
  const holder = await startHolder(
    `const { spawn } = await import('node:child_process')
     spawn('sleep', ['0.6'], { stdio: ['ignore', 'ignore', 'ignore', lock.fd] })
     process.kill(process.pid, 'SIGKILL')`,
  )
  if (holder.exitCode === null && holder.signalCode === null) await once(holder, 'exit')
  let waited = false
  const lock = await take(() => (waited = true))
  await lock.release()
  expect(waited).toBe(true)
})

/** Another process that takes the lock, says so, and goes on with `then`. */
async function startHolder(then: string): Promise<ChildProcess> {
  const lockFile = join(import.meta.dirname, 'install-lock.mjs')
  const code = `
    const { takeInstallLock } = await import(${JSON.stringify(lockFile)})
    const lock = await takeInstallLock(${JSON.stringify(root)}, { onWait() {} })
    process.stdout.write('held')
    ${then}`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  return holder
}
