import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { projectFile } from '../programs/project-files.ts'
import { tempFolder } from '../testing/temp-folder.ts'
import { killDaemon, lastLines, startDaemon, stopDaemon, whyEnded } from './daemon.ts'
import { findProcess, isAlive, ownProcess, signal } from './process-id.ts'
import { untilTrue } from './until.ts'

const logFile = join(tempFolder(), 'log')
const common = { logFile, lifetime: 'starter' } as const

describe('a daemon', () => {
  test('its output is lost, and its death goes unnoticed', async () => {
    const command = ['sh', '-c', 'echo I am here; exec sleep 300']
    const daemon = await startDaemon({ ...common, name: 'talker', command })
    await untilTrue('its first words', () => lastLines(logFile, 1) === 'I am here', { timeoutMs: 10_000 })
    expect(whyEnded(daemon)).toBeUndefined()
    await killDaemon(daemon)
    expect(whyEnded(daemon)).toContain('I am here')
  })

  test('one that ignores the request to end lives for ever', async () => {
    const daemon = await startDaemon({
      ...common,
      name: 'stubborn',
      command: ['sh', '-c', 'trap "" TERM; while :; do sleep 0.1; done'],
    })
    await untilTrue('it to run', () => isAlive(daemon.id), { timeoutMs: 10_000 })
    await stopDaemon(daemon, { graceMs: 100 })
    expect(isAlive(daemon.id)).toBe(false)
  })

  test('a program that does not exist counts as started', async () => {
    await expect(
      startDaemon({ name: 'nobody', logFile, lifetime: 'detached', command: ['no-such-program-here'] }),
    ).rejects.toThrow('Cannot start nobody')
  })

  test('it outlives a starter that was killed', { timeout: 30_000 }, async () => {
    const source = `const { startDaemon } = await import(${JSON.stringify(projectFile('src/machine/daemon.ts'))})
      const { id } = await startDaemon({ name: 'child', command: ['sleep', '300'], logFile: ${JSON.stringify(logFile)}, lifetime: 'starter' })
      console.log(JSON.stringify(id)); setInterval(() => {}, 1000)`
    const starter = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(starter.stdout, 'data')) as [Buffer]
    const id = JSON.parse(line.toString()) as { pid: number; startTicks: string }
    expect(isAlive(id)).toBe(true)
    starter.kill('SIGKILL')
    await untilTrue('the kernel to end the daemon', () => !isAlive(id), { timeoutMs: 10_000 })
  })

  test('its log has to exist for an error text', () => {
    expect(lastLines('/nowhere/log', 3)).toBe('(no log)')
  })
})

describe('the identity of a process', () => {
  test('a stranger with a recycled number is ended', async () => {
    const daemon = await startDaemon({ ...common, name: 'stranger', command: ['sleep', '300'] })
    expect(signal({ ...daemon.id, startTicks: '1' }, 'SIGKILL')).toBe(false)
    expect(isAlive(daemon.id)).toBe(true)
    await killDaemon(daemon)
  })

  test('a process that has ended but was not waited for counts as alive', async () => {
    const child = spawn('sh', ['-c', 'sleep 300 & echo $!; exec sleep 0.01'], { stdio: ['ignore', 'pipe', 'ignore'] })
    const [text] = (await once(child.stdout, 'data')) as [Buffer]
    await once(child, 'exit')
    const orphan = findProcess(Number(text.toString()))
    expect(orphan).toBeDefined()
    if (orphan !== undefined) await killDaemon({ id: orphan, name: 'orphan' }) // nobody waits for it: it stays a zombie
    expect(isAlive(ownProcess())).toBe(true)
  })

  test('a process whose first thread is over, and whose others hold its port, counts as ended', async ({ skip }) => {
    skip(spawnSync('python3', ['--version']).status !== 0, 'needs python3, which can end a single thread')
    const source = `import ctypes, platform, threading, time
threading.Thread(target=time.sleep, args=(300,)).start()
ctypes.CDLL(None).syscall(93 if platform.machine() == 'aarch64' else 60, 0)`
    const daemon = await startDaemon({ ...common, name: 'headless', command: ['python3', '-c', source] })
    const state = () => readFileSync(`/proc/${daemon.id.pid}/stat`, 'utf8').split(') ')[1]?.[0]
    await untilTrue('the first thread to end', () => state() === 'Z', { timeoutMs: 10_000 })
    expect(isAlive(daemon.id)).toBe(true)
    await killDaemon(daemon)
    expect(isAlive(daemon.id)).toBe(false)
  })
})
