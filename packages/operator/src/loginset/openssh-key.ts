/**
 * Private keys in the form that sshd reads: the `openssh-key-v1` container without a passphrase, and public keys as one line.
 * ssh-keygen checks it in the tests.
 *
 * @module
 */
import type { JsonWebKey, KeyObject } from 'node:crypto'

/** A private key and its public key, both as files. */
export interface OpenSshKey {
  readonly privateFile: string
  readonly publicFile: string
}

const MAGIC = Buffer.from('openssh-key-v1\0')
const BLOCK_BYTES = 8
const LINE_CHARACTERS = 70

/** Write a private key; `check` is any number: it only tells a reader with a wrong passphrase that it is wrong. */
export function writeOpenSshKey(key: KeyObject, check: number): OpenSshKey {
  const { type, publicParts, privateParts } = partsOf(key.export({ format: 'jwk' }))
  const publicBlob = Buffer.concat([type, ...publicParts].map(field))
  const checks = Buffer.concat([uint32(check), uint32(check)])
  const section = pad(Buffer.concat([checks, ...[type, ...privateParts, Buffer.alloc(0)].map(field)]))
  const none = Buffer.from('none')
  const head = [field(none), field(none), field(Buffer.alloc(0)), uint32(1)]
  const body = Buffer.concat([MAGIC, ...head, field(publicBlob), field(section)])
  return { privateFile: asPem(body), publicFile: `${type.toString()} ${publicBlob.toString('base64')}\n` }
}

interface KeyParts {
  readonly type: Buffer
  readonly publicParts: readonly Buffer[]
  readonly privateParts: readonly Buffer[]
}

function partsOf(key: JsonWebKey): KeyParts {
  switch (key.kty) {
    case 'RSA':
      return rsaParts(key)
    case 'OKP':
      return ed25519Parts(key)
    default:
      return ecdsaParts(key)
  }
}

function rsaParts({ n, e, d, qi, p, q }: JsonWebKey): KeyParts {
  const [modulus, exponent] = [integer(n), integer(e)]
  const privateParts = [modulus, exponent, integer(d), integer(qi), integer(p), integer(q)]
  return { type: Buffer.from('ssh-rsa'), publicParts: [exponent, modulus], privateParts }
}

function ed25519Parts({ x, d }: JsonWebKey): KeyParts {
  const [point, seed] = [decode(x), decode(d)]
  return {
    type: Buffer.from('ssh-ed25519'),
    publicParts: [point],
    privateParts: [point, Buffer.concat([seed, point])],
  }
}

function ecdsaParts({ x, y, d }: JsonWebKey): KeyParts {
  const curve = Buffer.from('nistp256')
  const point = Buffer.concat([Buffer.from([4]), decode(x), decode(y)]) // 4: both coordinates follow
  return {
    type: Buffer.from('ecdsa-sha2-nistp256'),
    publicParts: [curve, point],
    privateParts: [curve, point, integer(d)],
  }
}

/** A positive number: no leading zeros, but one where the first bit would make it negative. */
function integer(text: string | undefined): Buffer {
  const bytes = decode(text)
  const start = bytes.findIndex((byte) => byte !== 0)
  const plain = start < 0 ? Buffer.alloc(0) : bytes.subarray(start)
  return (plain[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), plain]) : plain
}

function decode(text = ''): Buffer {
  return Buffer.from(text, 'base64url')
}

function field(bytes: Buffer): Buffer {
  return Buffer.concat([uint32(bytes.length), bytes])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

/** Up to whole blocks, with 1, 2, 3 … */
function pad(bytes: Buffer): Buffer {
  const missing = (BLOCK_BYTES - (bytes.length % BLOCK_BYTES)) % BLOCK_BYTES
  return Buffer.concat([bytes, Buffer.from(Array.from({ length: missing }, (_, index) => index + 1))])
}

function asPem(body: Buffer): string {
  const lines = body.toString('base64').match(new RegExp(`.{1,${LINE_CHARACTERS}}`, 'g')) ?? []
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n')
}
