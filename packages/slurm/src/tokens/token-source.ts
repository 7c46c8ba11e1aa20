import type { Secret } from './secret.ts'

/** Where tokens come from. Asked for every request; a refused token is reported back. */
export interface TokenSource {
  /** A token that should be accepted now. Throws with a text for people when there is none. */
  current(): Promise<Secret>
  /** Slurm did not accept this one: the next must be another, if there can be another. */
  refuse(token: Secret): void
  /** Called when the source knows of a new token or key, so that nobody waits for the end of a back-off. */
  onChange(listener: () => void): () => void
  close(): void
}
