import type { CertificateFacts } from '../read-certificate.ts'

/** An authority whose key we hold, so that it can sign. */
export interface Signer extends CertificateFacts {
  readonly key: string
}

/** The certificate that servers present, with its key. */
export interface Serving extends CertificateFacts {
  readonly key: string
  /** The fingerprint of the trusted authority that signed it; undefined: nobody we trust did. */
  readonly signedBy: string | undefined
}

/** What a Secret holds, as far as it is whole. What is broken is left out, and `problems` says why. */
export interface Kept {
  readonly serving: Serving | undefined
  /** Whom clients trust: `ca.crt`. */
  readonly trusted: readonly CertificateFacts[]
  /** The authority that signs now; one of the trusted ones. */
  readonly signing: Signer | undefined
  /** The one that will sign next; trusted already, so that everybody knows it by then. */
  readonly next: Signer | undefined
  readonly problems: readonly string[]
}

/** The entries of the Secret. The first three are those of every TLS Secret. */
export const entries = {
  certificate: 'tls.crt',
  key: 'tls.key',
  trusted: 'ca.crt',
  signingKey: 'ca.key',
  nextKey: 'ca-next.key',
} as const

/** The texts of a Secret's entries, decoded. */
export type SecretTexts = Readonly<Record<string, string>>
