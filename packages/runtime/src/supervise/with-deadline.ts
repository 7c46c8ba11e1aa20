import type { Clock } from '@slurm-operator/kube'

/** Something took longer than it may. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'

  constructor(what: string, withinMs: number) {
    super(`Cannot ${what}: it took longer than ${withinMs / 1000} s.`)
  }
}

/**
 * Wait for something, but not for ever. Its signal is aborted at the deadline, and nobody waits for it any longer:
 * what it says or throws later is ignored.
 */
export async function withDeadline<T>(
  what: string,
  { clock, withinMs }: { readonly clock: Clock; readonly withinMs: number },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const late = Promise.withResolvers<never>()
  const cancel = clock.schedule(Math.max(0, withinMs), () => {
    const error = new DeadlineError(what, withinMs)
    controller.abort(error)
    late.reject(error)
  })
  try {
    return await Promise.race([work(controller.signal), late.promise])
  } finally {
    cancel()
  }
}
