/** Those who want to hear of something. One that throws has a bug of its own, which must not reach the others or us. */
export class Listeners<Args extends readonly unknown[]> {
  private readonly all = new Set<(...args: Args) => void>()
  private readonly onError: ((error: unknown) => void) | undefined

  constructor(onError: ((error: unknown) => void) | undefined) {
    this.onError = onError
  }

  /** Returns how to stop. */
  add(listener: (...args: Args) => void): () => void {
    this.all.add(listener)
    return () => this.all.delete(listener)
  }

  tell(...args: Args): void {
    for (const listener of this.all) {
      try {
        listener(...args)
      } catch (error) {
        this.onError?.(error)
      }
    }
  }

  clear(): void {
    this.all.clear()
  }
}
