import { generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

/** A certificate and its key, both as PEM. */
export interface KeyPair {
  readonly certificate: string
  readonly key: string
}

/** A fresh key on the P-256 curve, made off the main thread. */
export async function createKeys(): Promise<{ readonly privateKey: KeyObject; readonly publicKey: KeyObject }> {
  return promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
}

/** A private key as PEM. */
export function pemOfKey(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** A key pair without a certificate: for signing tokens. */
export async function createSigningKey(): Promise<{ readonly privateKey: string; readonly publicKey: string }> {
  const { privateKey, publicKey } = await createKeys()
  return { privateKey: pemOfKey(privateKey), publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString() }
}
