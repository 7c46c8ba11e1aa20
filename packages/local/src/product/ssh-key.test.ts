import { createPublicKey, type KeyObject } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { ensureSshKey } from './ssh-key.ts'

describe('the key for the login node prevents that', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ssh-key-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  test('ssh refuses it because others could read it', () => {
    expect(statSync(ensureSshKey(folder).file).mode & 0o777).toBe(0o600)
  })

  test('a second npm start locks out who has logged in before', () => {
    expect(ensureSshKey(folder)).toEqual(ensureSshKey(folder))
  })

  test('sshd is told another key', () => {
    const { file, publicLine } = ensureSshKey(folder)
    expect(pointIn(publicLine)).toEqual(pointOf(createPublicKey(readFileSync(file))))
  })
})

/** What RFC 5656 says: the name of the type, the name of the curve, the point, each behind its length. */
function pointIn(line: string): Buffer {
  const [type = '', blob = ''] = line.split(' ')
  const head = Buffer.concat([
    ...[type, 'nistp256'].flatMap((word) => [length(word.length), Buffer.from(word)]),
    length(65),
  ])
  const bytes = Buffer.from(blob, 'base64')
  expect(bytes.subarray(0, head.length)).toEqual(head)
  return bytes.subarray(head.length)
}

/** The last 65 bytes of the standard form are the point. */
function pointOf(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' }).subarray(-65)
}

function length(count: number): Buffer {
  return Buffer.from(count.toString(16).padStart(8, '0'), 'hex')
}
