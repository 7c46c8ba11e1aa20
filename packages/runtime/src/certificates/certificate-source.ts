import type { KeyPair } from './key-pair.ts'

/**
 * Where a server gets its certificate from. `run` calls `use` with the first one and with every one that replaces it,
 * and ends when the signal does. It fails only for what no waiting can heal.
 */
export interface CertificateSource {
  run(use: (pair: KeyPair) => void, signal: AbortSignal): Promise<void>
}

/** For metrics: how often a certificate was looked for, and how often in vain. */
export interface CertificateReads {
  read(): void
  failed(): void
}
