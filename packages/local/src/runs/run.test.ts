import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startDaemon } from '../machine/daemon.ts'
import { childrenOf, isAlive, ownProcess } from '../machine/process-id.ts'
import { endDaemons, endRun, sweepRuns } from './clean-up.ts'
import { RUN_MARK } from './run-mark.ts'
import { beginRun } from './run.ts'
import { findRecord, listRecords, writeRecord } from './run-record.ts'

beforeEach(() => vi.stubEnv('XDG_CACHE_HOME', mkdtempSync(join(tmpdir(), 'runs-'))))
afterEach(() => {
  rmSync(process.env['XDG_CACHE_HOME'] ?? '', { recursive: true, force: true })
  vi.unstubAllEnvs()
})

const sleeper = { name: 'sleeper', command: ['sleep', '300'] }

describe('a run', () => {
  test('something of it is left when it has ended', async () => {
    const run = await beginRun('test', 'starter')
    const daemon = await run.start({ ...sleeper, logFile: join(run.folder, 'log') })
    await run.end()
    expect([isAlive(daemon.id), existsSync(run.folder), listRecords()]).toEqual([false, false, []])
  })

  test('it can be ended only once', async () => {
    const run = await beginRun('test', 'starter')
    await Promise.all([run.end(), run.end()])
    await endRun(run)
  })

  test('a process that was started but not yet recorded stays', async () => {
    const run = await beginRun('test', 'detached')
    const env = { [RUN_MARK]: run.id }
    const unrecorded = await startDaemon({ ...sleeper, logFile: join(run.folder, 'log'), lifetime: 'detached', env })
    await run.end()
    expect(isAlive(unrecorded.id)).toBe(false)
  })

  test('what a dead starter left is never removed, or a living one loses its own', async () => {
    const dead = { pid: 999_999, startTicks: '1' }
    const record = { lifetime: 'starter', daemons: [], cgroups: [], facts: {} } as const
    const folder = mkdtempSync(join(tmpdir(), 'run-'))
    writeFileSync(join(folder, 'file'), '')
    writeRecord({ ...record, id: 'orphan', starter: dead, folder })
    writeRecord({ ...record, id: 'living', starter: ownProcess(), folder: '/nowhere' })
    writeRecord({ ...record, id: 'detached', lifetime: 'detached', starter: dead, folder: '/nowhere' })
    expect((await sweepRuns()).map(({ id }) => id)).toEqual(['orphan'])
    expect(existsSync(folder)).toBe(false)
    expect(
      listRecords()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['detached', 'living'])
  })

  test('a stranger who got the number of an ended process is waited for', async () => {
    const run = await beginRun('test', 'starter')
    const parent = await run.start({
      name: 'parent',
      command: ['sh', '-c', 'sleep 300 & wait'],
      logFile: join(run.folder, 'log'),
    })
    await expect.poll(() => childrenOf(parent.id.pid).length).toBe(1)
    const record = findRecord(run.id)
    if (record === undefined) throw new Error('the run has no record')
    const daemons = record.daemons.map((daemon) => ({ ...daemon, id: { ...daemon.id, startTicks: '1' } }))
    await endDaemons({ ...record, id: 'another', daemons }) // as if the number had gone to somebody else
    expect(isAlive(parent.id)).toBe(true)
    await run.end()
    expect(isAlive(parent.id)).toBe(false)
  })

  test('what it wrote down about itself cannot be found by others', async () => {
    const run = await beginRun('test', 'starter', 'known')
    run.state({ url: 'https://127.0.0.1:1' })
    expect(findRecord('known')?.facts).toEqual({ url: 'https://127.0.0.1:1' })
    await run.end()
  })
})
