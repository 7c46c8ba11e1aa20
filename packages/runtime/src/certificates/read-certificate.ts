import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { canonicalName } from './served-name.ts'

/** What we need to know about a certificate, as plain data. */
export interface CertificateFacts {
  /** The certificate itself, as PEM. */
  readonly certificate: string
  /** Tells it apart from every other one. */
  readonly fingerprint: string
  readonly fromMs: number
  readonly untilMs: number
  readonly isAuthority: boolean
  /** DNS names and IP addresses, in their canonical form. */
  readonly names: readonly string[]
}

/** The certificates in a text, one PEM each; what lies between them is not looked at. */
export function splitCertificates(text: string): string[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  return blocks.map((block) => `${block.replaceAll('\r', '')}\n`)
}

/** The first certificate of a text; undefined if there is none that can be read. */
export function findCertificate(text: string): X509Certificate | undefined {
  const [first] = splitCertificates(text)
  if (first === undefined) return undefined
  try {
    return new X509Certificate(first)
  } catch {
    return undefined // not a certificate, whatever else it is
  }
}

/** A private key from PEM; undefined if it cannot be read. */
export function findPrivateKey(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text)
  } catch {
    return undefined // the cause could show a piece of the key
  }
}

/** The facts about a certificate. */
export function factsOf(certificate: X509Certificate): CertificateFacts {
  return {
    certificate: certificate.toString(),
    fingerprint: certificate.fingerprint256,
    fromMs: certificate.validFromDate.getTime(),
    untilMs: certificate.validToDate.getTime(),
    isAuthority: certificate.ca,
    names: namesOf(certificate.subjectAltName ?? ''),
  }
}

/** Why a certificate and a key cannot serve together; undefined if they can. */
export function whyNoPair(certificateText: string, keyText: string): string | undefined {
  const certificate = findCertificate(certificateText)
  if (certificate === undefined) return 'the certificate cannot be read'
  const key = findPrivateKey(keyText)
  if (key === undefined) return 'the private key cannot be read'
  return certificate.checkPrivateKey(key) ? undefined : 'the private key does not belong to the certificate'
}

/** Whether a certificate was signed by an authority, or is that very certificate. */
export function isSignedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  if (certificate.fingerprint256 === authority.fingerprint256) return true
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey)
}

function namesOf(alternativeNames: string): string[] {
  const names = alternativeNames.matchAll(/(?:^|, )(?:DNS|IP Address):([^",]+)/g)
  return Array.from(names, ([, name = '']) => canonicalName(name))
}
