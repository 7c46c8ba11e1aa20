/**
 * Certificates without a library: make an authority, let it issue certificates, read what others made.
 *
 * One shape is written: X.509 version 3 with keys on the P-256 curve. The life of a webhook's own authority is in
 * `own/`, certificates that somebody else provides are in `given/`.
 *
 * @module
 */
export { createSigningKey, type KeyPair } from './key-pair.ts'
export { createAuthority, issueCertificate, type Subject, type Validity } from './issue-certificate.ts'
export {
  factsOf,
  findCertificate,
  findPrivateKey,
  isSignedBy,
  splitCertificates,
  whyNoPair,
  type CertificateFacts,
} from './read-certificate.ts'
export { canonicalName } from './served-name.ts'
