import type { Secret } from './secret.ts'
import type { TokenSource } from './token-source.ts'

/** A token source that can be replaced while requests are under way; those keep the token they have. */
export class SwappableTokenSource implements TokenSource {
  private readonly listeners = new Set<() => void>()
  private source: TokenSource
  private stopListening: () => void

  constructor(source: TokenSource) {
    this.source = source
    this.stopListening = source.onChange(() => this.changed())
  }

  /** Use another one from now on. */
  swap(next: TokenSource): void {
    this.stopListening()
    this.source.close()
    this.source = next
    this.stopListening = next.onChange(() => this.changed())
    this.changed()
  }

  current(): Promise<Secret> {
    return this.source.current()
  }

  refuse(token: Secret): void {
    this.source.refuse(token)
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  close(): void {
    this.stopListening()
    this.source.close()
    this.listeners.clear()
  }

  private changed(): void {
    for (const listener of this.listeners) listener()
  }
}
