import { cacheFolder } from '../cache/cache.ts'
import { messageOf } from '../machine/message-of.ts'
import { adviceFor } from './advice.ts'

/** Run a command of ours: errors become one readable text and an exit code, never a stack trace for a person. */
export async function runCommand(work: () => Promise<number | void>): Promise<void> {
  try {
    process.exitCode = (await work()) ?? 0
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`)
    process.exitCode = 1
  }
}

function describe(error: unknown): string {
  if (process.env['DEBUG'] !== undefined && error instanceof Error) return error.stack ?? error.message
  const message = messageOf(error)
  const advice = adviceFor(message, cacheFolder())
  return [message, ...(advice === undefined ? [] : [advice]), '(set DEBUG=1 to see where it happened)'].join('\n')
}
