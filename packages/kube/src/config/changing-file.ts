import { readFile } from 'node:fs/promises'
import type { Clock } from '../transport/clock.ts'
import { codeOf, misconfigured } from './misconfigured.ts'

const BELIEVED_MS = 10_000

/** A file that somebody else replaces from time to time, such as a service account token. */
export interface ChangingFile {
  /** Its text, at most some seconds old. While it cannot be read, the last text that could. */
  readonly read: () => Promise<string>
  /** Do not believe what was read before. */
  readonly forget: () => void
}

/** Watch over a file by reading it again when it is needed and the last look was long ago. */
export function createChangingFile(path: string, clock: Clock): ChangingFile {
  let last: string | undefined
  let untilMs = Number.NEGATIVE_INFINITY
  return {
    async read() {
      if (last !== undefined && clock.monotonic() < untilMs) return last
      try {
        last = await readText(path)
      } catch (error) {
        if (last === undefined) throw error
      }
      untilMs = clock.monotonic() + BELIEVED_MS
      return last
    },
    forget() {
      untilMs = Number.NEGATIVE_INFINITY
    },
  }
}

async function readText(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw misconfigured(`read ${path}`, codeOf(error), error)
  })
  if (text.trim() === '') throw misconfigured(`read ${path}`, 'it is empty')
  return text
}
