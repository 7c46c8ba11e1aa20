import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import * as der from './der.ts'

/** Who a certificate speaks for, and to whom. */
export interface Subject {
  readonly commonName: string
  /** For Kubernetes these are the groups of the user. */
  readonly organizations?: readonly string[]
  /** Names and addresses under which it serves; none for a mere client. */
  readonly servesAs?: readonly string[]
}

/** A certificate and its key, both as PEM. */
export interface KeyPair {
  readonly certificate: string
  readonly key: string
}

const ECDSA_WITH_SHA256 = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'))
const DAY_MS = 24 * 3600_000
const VALID_DAYS = 3650

/** A new authority that signs certificates of one cluster. */
export function createAuthority(commonName: string, now = new Date()): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keyId = keyIdOf(publicKey)
  const extensions = [
    extension('2.5.29.19', der.sequence(der.boolean(true)), 'critical'),
    extension('2.5.29.15', der.bitString(Buffer.from([0x06]), 1), 'critical'), // may sign certificates and revocations
    extension('2.5.29.14', der.octetString(keyId)),
  ]
  const certificate = signed({
    subject: { commonName },
    publicKey,
    extensions,
    issuer: { name: { commonName }, key: privateKey },
    now,
  })
  return { certificate, key: pemOf(privateKey) }
}

/** A certificate for a client, and for a server when it serves under some name. */
export function issueCertificate(
  authority: KeyPair,
  authorityName: string,
  subject: Subject,
  now = new Date(),
): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const authorityKey = createPrivateKey(authority.key)
  const usages = ['1.3.6.1.5.5.7.3.2', ...(subject.servesAs === undefined ? [] : ['1.3.6.1.5.5.7.3.1'])]
  const extensions = [
    extension('2.5.29.19', der.sequence(), 'critical'),
    extension('2.5.29.15', der.bitString(Buffer.from([0x80]), 7), 'critical'), // may sign, as TLS wants it
    extension('2.5.29.37', der.sequence(...usages.map(der.objectIdentifier))),
    extension('2.5.29.35', der.sequence(der.implicit(0, keyIdOf(createPublicKey(authorityKey))))),
    ...(subject.servesAs === undefined
      ? []
      : [extension('2.5.29.17', der.sequence(...subject.servesAs.map(alternativeName)))]),
  ]
  const issuer = { name: { commonName: authorityName }, key: authorityKey }
  return { certificate: signed({ subject, publicKey, extensions, issuer, now }), key: pemOf(privateKey) }
}

/** A key pair without a certificate: for signing service account tokens. */
export function createSigningKey(): { readonly privateKey: string; readonly publicKey: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privateKey: pemOf(privateKey), publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() }
}

interface Unsigned {
  readonly subject: Subject
  readonly publicKey: KeyObject
  readonly extensions: readonly Buffer[]
  readonly issuer: { readonly name: Subject; readonly key: KeyObject }
  readonly now: Date
}

function signed({ subject, publicKey, extensions, issuer, now }: Unsigned): string {
  const validity = der.sequence(
    der.time(new Date(now.getTime() - DAY_MS)), // clocks differ
    der.time(new Date(now.getTime() + VALID_DAYS * DAY_MS)),
  )
  const body = der.sequence(
    der.explicit(0, der.integer(Buffer.from([2]))), // version 3
    der.integer(randomBytes(16)),
    ECDSA_WITH_SHA256,
    nameOf(issuer.name),
    validity,
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, der.sequence(...extensions)),
  )
  const whole = der.sequence(body, ECDSA_WITH_SHA256, der.bitString(sign('sha256', body, issuer.key)))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

function nameOf({ commonName, organizations = [] }: Subject): Buffer {
  const part = (id: string, text: string) => der.setOf(der.sequence(der.objectIdentifier(id), der.utf8String(text)))
  return der.sequence(...organizations.map((name) => part('2.5.4.10', name)), part('2.5.4.3', commonName))
}

function extension(id: string, value: Buffer, critical?: 'critical'): Buffer {
  return der.sequence(der.objectIdentifier(id), ...(critical ? [der.boolean(true)] : []), der.octetString(value))
}

function alternativeName(name: string): Buffer {
  if (isIPv4(name)) return der.implicit(7, Buffer.from(name.split('.').map(Number)))
  if (isIPv6(name)) throw new Error(`Cannot put ${name} into a certificate: IPv6 addresses are not supported here`)
  return der.implicit(2, Buffer.from(name, 'ascii'))
}

function keyIdOf(publicKey: KeyObject): Buffer {
  return createHash('sha1')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest()
}

function pemOf(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}
