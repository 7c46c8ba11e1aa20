import { createHash, createPrivateKey, randomBytes, sign, X509Certificate, type KeyObject } from 'node:crypto'
import * as der from './der.ts'
import { createKeys, pemOfKey, type KeyPair } from './key-pair.ts'
import { readCertificateBody, type CertificateBody } from './read-der.ts'
import { encodeServedName } from './served-name.ts'

/** Who a certificate speaks for, and to whom. */
export interface Subject {
  readonly commonName: string
  /** For Kubernetes these are the groups of the user. */
  readonly organizations?: readonly string[]
  /** DNS names and IP addresses under which it serves; none for a mere client. */
  readonly servesAs?: readonly string[]
  /** `server` leaves out that it may also present itself as a client. */
  readonly uses?: 'client-and-server' | 'server'
}

/** From when until when a certificate is good. Seconds count: X.509 knows nothing smaller. */
export interface Validity {
  readonly fromMs: number
  readonly untilMs: number
}

/** A new authority: a certificate that signs others, and its key. */
export async function createAuthority(commonName: string, validity: Validity): Promise<KeyPair> {
  const { privateKey, publicKey } = await createKeys()
  const name = encodeName({ commonName })
  const extensions = [
    extension('2.5.29.19', der.sequence(der.boolean(true)), 'critical'),
    extension('2.5.29.15', der.bitString(Buffer.from([0x06]), 1), 'critical'), // may sign certificates and revocations
    extension('2.5.29.14', der.octetString(newKeyId(publicKey))),
  ]
  const certificate = signed({ subject: name, issuer: name, publicKey, extensions, validity }, privateKey)
  return { certificate, key: pemOfKey(privateKey) }
}

/** A certificate for a client, for a server when it serves under some name, or for both. */
export async function issueCertificate(authority: KeyPair, subject: Subject, validity: Validity): Promise<KeyPair> {
  const authorityKey = signingKeyOf(authority)
  const issuer = readCertificateBody(new X509Certificate(authority.certificate).raw)
  const name = encodeName(subject)
  if (name.equals(issuer.subject)) throw new Error(sameName(subject))
  const { privateKey, publicKey } = await createKeys()
  const extensions = extensionsFor(subject, issuer)
  const certificate = signed({ subject: name, issuer: issuer.subject, publicKey, extensions, validity }, authorityKey)
  return { certificate, key: pemOfKey(privateKey) }
}

/** Whether `issueCertificate` can sign with this key. */
export function maySign(privateKey: KeyObject): boolean {
  return privateKey.asymmetricKeyDetails?.namedCurve === 'prime256v1'
}

const ECDSA_WITH_SHA256 = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'))
const FOR_CLIENTS = '1.3.6.1.5.5.7.3.2'
const FOR_SERVERS = '1.3.6.1.5.5.7.3.1'

function extensionsFor({ servesAs = [], uses = 'client-and-server' }: Subject, issuer: CertificateBody): Buffer[] {
  const usages = [...(uses === 'server' ? [] : [FOR_CLIENTS]), ...(servesAs.length === 0 ? [] : [FOR_SERVERS])]
  const issuerKey = issuer.subjectKeyId && [extension('2.5.29.35', der.sequence(der.implicit(0, issuer.subjectKeyId)))]
  const names = servesAs.length > 0 && [extension('2.5.29.17', der.sequence(...servesAs.map(encodeServedName)))]
  return [
    extension('2.5.29.19', der.sequence(), 'critical'),
    extension('2.5.29.15', der.bitString(Buffer.from([0x80]), 7), 'critical'), // may sign, as TLS wants it
    extension('2.5.29.37', der.sequence(...usages.map(der.objectIdentifier))),
    ...(issuerKey ?? []),
    ...(names || []),
  ]
}

function sameName({ commonName }: Subject): string {
  return `Cannot issue a certificate for ${commonName}: its authority has the same name, and everybody would take it for self-signed. Choose another name.`
}

interface Unsigned {
  readonly subject: Buffer
  readonly issuer: Buffer
  readonly publicKey: KeyObject
  readonly extensions: readonly Buffer[]
  readonly validity: Validity
}

function signed({ subject, issuer, publicKey, extensions, validity }: Unsigned, key: KeyObject): string {
  const body = der.sequence(
    der.explicit(0, der.integer(Buffer.from([2]))), // version 3
    der.integer(randomBytes(16)),
    ECDSA_WITH_SHA256,
    issuer,
    der.sequence(der.time(new Date(validity.fromMs)), der.time(new Date(validity.untilMs))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, der.sequence(...extensions)),
  )
  return pemOfCertificate(der.sequence(body, ECDSA_WITH_SHA256, der.bitString(sign('sha256', body, key))))
}

function pemOfCertificate(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function signingKeyOf({ key }: KeyPair): KeyObject {
  const privateKey = createPrivateKey(key)
  if (maySign(privateKey)) return privateKey
  throw new Error(
    `Cannot sign with the authority's key: it is of type ${privateKey.asymmetricKeyType}. Give one on the P-256 curve.`,
  )
}

function encodeName({ commonName, organizations = [] }: Subject): Buffer {
  const part = (id: string, text: string) => der.setOf(der.sequence(der.objectIdentifier(id), der.utf8String(text)))
  return der.sequence(...organizations.map((name) => part('2.5.4.10', name)), part('2.5.4.3', commonName))
}

function extension(id: string, value: Buffer, critical?: 'critical'): Buffer {
  return der.sequence(der.objectIdentifier(id), ...(critical ? [der.boolean(true)] : []), der.octetString(value))
}

/** The first 160 bits of a digest of the key, as RFC 7093 has it. */
function newKeyId(publicKey: KeyObject): Buffer {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20)
}
