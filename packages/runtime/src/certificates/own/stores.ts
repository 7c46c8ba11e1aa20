import type { JsonPatch } from '@slurm-operator/kube'
import type { BundleTarget } from './bundle-patch.ts'

/** A Secret as the API has it, as far as we look at it. */
export interface StoredSecret {
  readonly resourceVersion: string
  /** Base64, as in the API. */
  readonly data: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

/** A change of the Secret's data. Without a resourceVersion the Secret is to be created, else exactly that version changed. */
export interface SecretChange {
  readonly resourceVersion: string | undefined
  /** Base64; null removes an entry. Entries that are not named stay. */
  readonly data: Readonly<Record<string, string | null>>
}

/** How a write ended: `conflict` means that somebody else was faster, and that nothing was written. */
export type WriteResult = 'written' | 'conflict'

/** The one Secret that all replicas share. */
export interface SecretStore {
  /** Undefined: there is none. */
  read(signal: AbortSignal): Promise<StoredSecret | undefined>
  write(change: SecretChange, signal: AbortSignal): Promise<WriteResult>
}

/** The webhook configurations that must know our authorities. */
export interface BundleStore {
  /** How many there will be once everything is installed: until then we look more often. */
  readonly expected: number
  /** Those that are there. */
  read(signal: AbortSignal): Promise<readonly BundleTarget[]>
  /** `conflict`: it has changed or gone; it will be read again. */
  patch(target: BundleTarget, patch: JsonPatch, signal: AbortSignal): Promise<WriteResult>
}
