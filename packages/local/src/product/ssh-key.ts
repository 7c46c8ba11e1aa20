import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [TYPE, CURVE] = ['ecdsa-sha2-nistp256', 'nistp256']

/** A key for logging in, and the line by which sshd knows it. */
export interface SshKey {
  readonly file: string
  readonly publicLine: string
}

/** The key in a folder, made when there is none. It is of a kind that Node can write and every ssh can read. */
export function ensureSshKey(folder: string): SshKey {
  const file = join(folder, 'ssh-key')
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    writeFileSync(file, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 })
  }
  return { file, publicLine: publicLineOf(createPublicKey(createPrivateKey(readFileSync(file)))) }
}

function publicLineOf(key: KeyObject): string {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), ...[x, y].map((part) => Buffer.from(part, 'base64url'))])
  const parts = [Buffer.from(TYPE), Buffer.from(CURVE), point]
  return `${TYPE} ${Buffer.concat(parts.flatMap((part) => [lengthOf(part), part])).toString('base64')}`
}

function lengthOf({ length }: Buffer): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}
