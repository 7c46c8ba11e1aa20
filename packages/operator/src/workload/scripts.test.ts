import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { initconfScript, logfileScript, reconfigureScript } from './scripts.ts'

let folder = ''
const running = new Set<ReturnType<typeof spawn>>()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'side-container-'))
})

afterEach(async () => {
  for (const child of running) {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  running.clear()
  await rm(folder, { recursive: true })
})

/** A script as its container runs it, in a process group of its own so that none of it survives the test. */
function start(script: string, env: Readonly<Record<string, string>>) {
  const path = `${folder}/bin:${process.env['PATH'] ?? ''}`
  const child = spawn('sh', ['-c', script], { env: { ...env, PATH: path }, detached: true })
  running.add(child)
  const output: string[] = []
  child.stdout.on('data', (data: Buffer) => output.push(String(data)))
  return { child, text: () => output.join('') }
}

describe('the logfile container', () => {
  test('prints what a daemon logs, also after the daemon was restarted, and ends when it is told to', async () => {
    const socket = join(folder, 'slurm', 'slurmctld.log')
    await mkdir(join(folder, 'slurm'))
    await writeFile(socket, 'a plain file of an earlier life')
    const { child, text } = start(logfileScript, { SOCKET: socket })
    await vi.waitFor(async () => expect((await stat(socket)).isFIFO()).toBe(true), { timeout: 5000 })
    for (const line of ['first\n', 'second\n']) {
      await writeFile(socket, line)
      await vi.waitFor(() => expect(text()).toContain(line), { timeout: 5000 })
    }
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

describe('the initconf container', () => {
  test('copies configuration and keys only, with the modes that Slurm insists on', async () => {
    const [from, to] = [join(folder, 'from'), join(folder, 'to')]
    await mkdir(join(from, '..data'), { recursive: true })
    for (const file of ['slurm.key', 'slurm.conf', 'slurmdbd.conf', 'other.txt']) {
      await writeFile(join(from, '..data', file), file)
      await symlink(join('..data', file), join(from, file)) // as the kubelet lays them out
    }
    const env = {
      CONFIG_SOURCE: from,
      CONFIG_TARGET: to,
      CONFIG_OWNER: `${process.getuid?.()}:${process.getgid?.()}`,
      PATH: process.env['PATH'] ?? '',
    }
    await promisify(execFile)('sh', ['-c', initconfScript], { env, timeout: 5000 })
    const files = await readdir(to)
    const modeOf = async (file: string) => [file, ((await stat(join(to, file))).mode & 0o777).toString(8)]
    expect(Object.fromEntries(await Promise.all(files.map(modeOf)))).toEqual({
      'slurm.key': '600',
      'slurm.conf': '644',
      'slurmdbd.conf': '600',
    })
    expect(await readFile(join(to, 'slurm.key'), 'utf8')).toBe('slurm.key')
  })
})

describe('the reconfigure container', () => {
  test('asks slurmctld until it agrees, once per change, and not at its start', async () => {
    const config = join(folder, 'etc')
    await mkdir(config)
    await writeFile(join(config, 'slurm.conf'), 'a')
    // The first call fails, as while slurmctld starts; each sleep tells that a look at the files is over.
    await addCommand('scontrol', `echo "$@" >>${folder}/calls; [ "$(wc -l <${folder}/calls)" -gt 1 ]`)
    await addCommand('sleep', `echo "$@" >>${folder}/looks; exec /bin/sleep 0.1`)
    start(reconfigureScript, { CONFIG_TARGET: config })
    await moreLooks(0)
    expect(await linesOf('calls')).toEqual([])
    await writeFile(join(config, 'slurm.conf'), 'b')
    await vi.waitFor(async () => expect(await linesOf('calls')).toHaveLength(2), { timeout: 8000 })
    await moreLooks((await linesOf('looks')).length)
    expect(await linesOf('calls')).toEqual(['reconfigure', 'reconfigure'])
  })
})

async function addCommand(name: string, script: string): Promise<void> {
  await mkdir(join(folder, 'bin'), { recursive: true })
  await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

/** Three more than there were: at least one whole look lies between. */
async function moreLooks(before: number): Promise<void> {
  const look = async () => expect((await linesOf('looks')).length).toBeGreaterThan(before + 2)
  await vi.waitFor(look, { timeout: 8000 })
}

async function linesOf(file: string): Promise<string[]> {
  if (!existsSync(join(folder, file))) return []
  return (await readFile(join(folder, file), 'utf8')).trimEnd().split('\n')
}
