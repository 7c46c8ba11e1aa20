import type { Clock } from './clock.ts'

/** Thrown when a deadline passes first. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
}

/**
 * Do something that may hang, and settle at the deadline whatever it does. The signal tells the work to stop; work
 * that does not listen is left alone and its late result is dropped.
 */
export async function withDeadline<T>(
  clock: Clock,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  let stopTimer = (): void => {}
  const deadline = new Promise<never>((_resolve, reject) => {
    stopTimer = clock.schedule(timeoutMs, () => {
      const error = new DeadlineError(`no answer within ${timeoutMs / 1000} s`)
      reject(error) // before the abort, whose own error would win otherwise
      controller.abort(error)
    })
  })
  try {
    return await Promise.race([work(controller.signal), deadline])
  } finally {
    stopTimer()
  }
}
