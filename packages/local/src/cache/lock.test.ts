import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { projectFile } from '../programs/project-files.ts'
import { withLock } from './lock.ts'

const name = `a lock of test ${process.pid}`

test('two hold a lock at once', async () => {
  let holders = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, ++holders)
    await new Promise((resolve) => setImmediate(resolve))
    holders--
  }
  await Promise.all(Array.from({ length: 5 }, () => withLock(name, { timeoutMs: 20_000 }, work)))
  expect(most).toBe(1)
})

test('a lock is kept after its work has failed', async () => {
  await expect(withLock(name, { timeoutMs: 1_000 }, () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  )
  expect(await withLock(name, { timeoutMs: 1_000 }, async () => 'free')).toBe('free')
})

test('a lock is waited for without end and without a word', async () => {
  const said: string[] = []
  await withLock(name, { timeoutMs: 1_000 }, async () => {
    const second = withLock(name, { timeoutMs: 300, onWait: () => said.push('waiting') }, async () => {})
    await expect(second).rejects.toThrow(/another process has kept it/)
  })
  expect(said).toEqual(['waiting'])
})

test('a lock stays with a process that was killed', async () => {
  const source = `const { withLock } = await import(${JSON.stringify(projectFile('src/cache/lock.ts'))})
    await withLock(${JSON.stringify(name)}, { timeoutMs: 1000 }, () => { console.log('held'); return new Promise(() => setInterval(() => {}, 1000)) })`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  await expect(withLock(name, { timeoutMs: 100 }, async () => {})).rejects.toThrow(/another process/)
  holder.kill('SIGKILL')
  expect(await withLock(name, { timeoutMs: 10_000 }, async () => 'free')).toBe('free')
})
