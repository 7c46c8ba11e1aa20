import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tempFolder } from '../testing/temp-folder.ts'
import { run, RunError, succeeds } from './run.ts'

const folder = tempFolder()
const quick = { timeoutMs: 10_000 }

describe('running a command', () => {
  test('a failure hides what the command said', async () => {
    const failure = await run(['sh', '-c', 'echo out; echo the disk is full >&2; exit 3'], quick).catch(
      (error: unknown) => error,
    )
    expect(failure).toBeInstanceOf(RunError)
    expect(failure).toMatchObject({
      exitCode: 3,
      stdout: 'out\n',
      message: expect.stringContaining('the disk is full') as string,
    })
  })

  test('a command that never ends is waited for without end', async () => {
    await expect(run(['sleep', '60'], { timeoutMs: 50 })).rejects.toThrow(/ended by SIGKILL \(the limit is 0 s\)/)
  })

  test('a missing program looks like a failing one', async () => {
    await expect(run(['no-such-program-here'], quick)).rejects.toThrow(/ENOENT/)
  })

  test('a command that ignores its input breaks the caller', async () => {
    await expect(run(['true'], { ...quick, input: 'x'.repeat(1_000_000) })).resolves.toMatchObject({ stdout: '' })
  })

  test('a letter that is cut between two chunks is lost', async () => {
    const { stdout } = await run(['sh', '-c', "printf '\\303'; sleep 0.05; printf '\\244\\n'"], quick)
    expect(stdout).toBe('ä\n')
  })

  test('progress lines arrive in halves', async () => {
    const lines: string[] = []
    await run(['sh', '-c', 'printf "one\\ntw"; sleep 0.05; printf "o\\n"'], {
      ...quick,
      onLine: (line) => lines.push(line),
    })
    expect(lines).toEqual(['one', 'two'])
  })

  test('what a long step printed cannot be read afterwards', async () => {
    const logFile = join(folder, 'log')
    await run(['sh', '-c', 'echo kept'], { ...quick, logFile })
    expect(readFileSync(logFile, 'utf8')).toBe('kept\n')
  })

  test('a question answers with an exception', async () => {
    expect(await succeeds(['true'], quick)).toBe(true)
    expect(await succeeds(['false'], quick)).toBe(false)
  })
})
