/** Resolves when the signal is aborted. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** Do something when the signal is aborted, or at once if it is. The answer takes it back. */
export function whenAborted(signal: AbortSignal, action: () => void): () => void {
  if (signal.aborted) {
    action()
    return () => {}
  }
  signal.addEventListener('abort', action, { once: true })
  return () => signal.removeEventListener('abort', action)
}
