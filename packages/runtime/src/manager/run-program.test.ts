import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'

/** A real process, because signals and exit codes are what this is about. */
function start(body: string) {
  const here = import.meta.url
  const code = `
    const { systemClock } = await import('@slurm-operator/kube')
    const { runProgram } = await import(${JSON.stringify(new URL('run-program.ts', here).href)})
    const { Manager } = await import(${JSON.stringify(new URL('manager.ts', here).href)})
    const { createLogger } = await import(${JSON.stringify(new URL('../logging/logger.ts', here).href)})
    const log = createLogger({ clock: systemClock })
    const until = (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve))
    ${body}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: new URL('.', here).pathname,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: Record<string, unknown>[] = []
  createInterface({ input: child.stderr }).on('line', (line) => lines.push(parse(line)))
  const ended = once(child, 'close').then(([exitCode]) => exitCode as number)
  const ready = () => once(child.stdout, 'data')
  return { child, lines, ended, ready, [Symbol.dispose]: () => child.kill('SIGKILL') }
}

function parse(line: string): Record<string, unknown> {
  try {
    return JSON.parse(line) as Record<string, unknown>
  } catch {
    return { text: line }
  }
}

const MANAGED = `
  const loop = {
    name: 'loop',
    run: async ({ stop, ready }) => {
      ready()
      process.stdout.write('ready')
      const life = setInterval(() => {}, 1000)
      await until(stop)
      STOP
      clearInterval(life)
    },
  }
  await runProgram(({ asked }) => new Manager({ clock: systemClock, log, loops: [loop] }).run(asked))`

describe('a real process prevents that', { timeout: 30_000 }, () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal} ends it in the middle of something, or with a code that looks like a failure`, async () => {
      using program = start(MANAGED.replace('STOP', `log.info('finishing')`))
      await program.ready()
      program.child.kill(signal)
      expect(await program.ended).toBe(0)
      expect(program.lines.map(({ msg }) => msg)).toEqual([
        'stopping because we were asked to',
        'finishing',
        'the program ends',
      ])
    })
  }

  test('a second signal is not heard while it waits for something that never ends', async () => {
    using program = start(MANAGED.replace('STOP', `process.stdout.write('deaf'); await new Promise(() => {})`))
    await program.ready()
    program.child.kill('SIGTERM')
    await program.ready()
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(1)
    expect(program.lines.at(-1)).toMatchObject({ msg: 'the program ends at once because of a second signal, SIGTERM' })
  })

  test('a part that fails leaves the process running', async () => {
    using program = start(MANAGED.replace('await until(stop)', `throw new Error('disk full')`))
    expect(await program.ended).toBe(1)
    expect(program.lines.map(({ msg, error, because }) => [msg, error ?? because])).toEqual([
      ['stopping because loop failed', 'disk full'],
      ['the program ends', 'loop failed: disk full'],
    ])
  })

  for (const [name, deed, text] of [
    [
      'a rejection that nobody handles',
      `void Promise.reject(new Error('lost'))`,
      'something failed that nobody waited for',
    ],
    [
      'an error that nobody catches',
      `setImmediate(() => { throw new Error('lost') })`,
      'an error was thrown that nobody caught',
    ],
  ] as const) {
    test(`${name} is ignored, or ends it without a word`, async () => {
      using program = start(MANAGED.replace('await until(stop)', `${deed}; await until(stop)`))
      expect(await program.ended).toBe(1)
      expect(program.lines).toMatchObject([{ level: 'error', msg: expect.stringContaining(text), error: 'lost' }])
    })
  }

  test('a program that cannot start ends with 0, or that does not understand its flags with 1', async () => {
    using failing = start(`await runProgram(async () => { throw new Error('Cannot listen on :1') })`)
    expect(await failing.ended).toBe(1)
    expect(failing.lines).toMatchObject([{ msg: 'the program cannot start', error: 'Cannot listen on :1' }])
    using confused = start(
      `await runProgram(async () => ({ code: 2, because: 'Cannot use --x: there is no such flag.' }))`,
    )
    expect(await confused.ended).toBe(2)
  })
})
