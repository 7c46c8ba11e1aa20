import { execFileSync } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeOpenSshKey } from './openssh-key.ts'

const kinds = {
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ed25519: () => generateKeyPairSync('ed25519').privateKey,
  ecdsa: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
}

function publicKeyBySshKeygen(privateFile: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'openssh-'))
  try {
    const file = join(folder, 'key')
    writeFileSync(file, privateFile, { mode: 0o600 })
    return execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function hasSshKeygen(): boolean {
  try {
    execFileSync('ssh-keygen', ['-?'], { stdio: 'ignore' })
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

describe('host keys prevent that', () => {
  for (const [name, make] of Object.entries(kinds)) {
    test(`sshd cannot read its ${name} host key`, ({ skip }) => {
      skip(!hasSshKeygen(), 'ssh-keygen is not installed')
      for (let round = 0; round < 8; round++) {
        const { privateFile, publicFile } = writeOpenSshKey(
          createPrivateKey(make().export({ format: 'pem', type: 'pkcs8' })),
          round,
        )
        expect(publicKeyBySshKeygen(privateFile).trim()).toBe(publicFile.trim())
      }
    })
  }
})
