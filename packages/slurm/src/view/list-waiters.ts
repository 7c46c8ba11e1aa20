/** Whoever waits for a list that was asked for after a moment, as the counter of requests tells it. */
export class ListWaiters {
  private waiting: { readonly after: number; readonly resolve: (isNew: boolean) => void }[] = []

  get areThere(): boolean {
    return this.waiting.length > 0
  }

  /** `resolve` is called once: true, such a list has come, or could not be had; false, there will be none. */
  add(after: number, resolve: (isNew: boolean) => void): void {
    this.waiting.push({ after, resolve })
  }

  /** A list that was asked for at this moment has come, or could not be had. */
  release(askedAt: number): void {
    const done = this.waiting.filter(({ after }) => after < askedAt)
    this.waiting = this.waiting.filter(({ after }) => after >= askedAt)
    for (const { resolve } of done) resolve(true)
  }

  /** No list will come any more. */
  close(): void {
    for (const { resolve } of this.waiting.splice(0)) resolve(false)
  }
}
