import type { Clock } from '@slurm-operator/kube'
import type { CertificateReads } from '../certificate-source.ts'
import type { CertificatePolicy } from './policy.ts'
import type { CertificateStep } from './steps.ts'
import type { BundleStore, SecretStore } from './stores.ts'

/** What a server needs to keep its own certificate. */
export interface KeeperOptions {
  readonly secrets: SecretStore
  readonly bundles?: BundleStore
  /** DNS names and addresses under which clients call the server. */
  readonly names: readonly string[]
  /** The name in the certificates, for people who look at them. */
  readonly commonName: string
  readonly clock: Clock
  readonly policy?: CertificatePolicy
  /** How often to look whether somebody changed something. */
  readonly lookEveryMs?: number
  readonly reads?: CertificateReads
  /** Told after the change is written. */
  readonly onStep?: (step: CertificateStep) => void
  /** A pass failed; it is tried again. */
  readonly onFailure?: (error: unknown) => void
}
