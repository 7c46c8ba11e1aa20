import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { inspect } from 'node:util'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { certificateFor, createManualClock, settingsFor } from '../transport/gen.ts'
import { createCredentials } from './credentials.ts'
import { HiddenText } from './hidden-text.ts'

const folder = mkdtempSync(join(tmpdir(), 'kube-credentials-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

test('a token file is read again after some seconds, and while it is gone the last token stays', async () => {
  const clock = createManualClock()
  writeFileSync(at('token'), 'one\n')
  const credentials = createCredentials(settingsFor(1, { login: { kind: 'token-file', path: at('token') } }), clock)
  const token = async () => (await credentials.current()).headers['authorization']
  expect(await token()).toBe('Bearer one')
  writeFileSync(at('token'), 'two')
  expect(await token()).toBe('Bearer one')
  await clock.advance(10_000)
  expect(await token()).toBe('Bearer two')
  for (const damage of [() => rmSync(at('token')), () => writeFileSync(at('token'), '')]) {
    damage()
    await clock.advance(10_000)
    expect(await token()).toBe('Bearer two')
  }
})

test('a file that was never there is an error that names it', async () => {
  const credentials = createCredentials(
    settingsFor(1, { login: { kind: 'token-file', path: at('none') } }),
    createManualClock(),
  )
  await expect(credentials.current()).rejects.toThrow(/read .*none: ENOENT/)
})

test('a certificate whose key is not replaced yet waits for it', async () => {
  const clock = createManualClock()
  const [first, second] = [await certificateFor('first'), await certificateFor('second')]
  const write = (certificate: string, key: string) => {
    writeFileSync(at('crt'), certificate)
    writeFileSync(at('key'), key)
  }
  write(first.certificate, first.key)
  const clientCertificate = {
    certificate: { kind: 'file', path: at('crt') },
    key: { kind: 'file', path: at('key') },
  } as const
  const credentials = createCredentials(settingsFor(1, { clientCertificate }), clock)
  const before = (await credentials.current()).tls
  expect(before.certificate).toBe(first.certificate)
  write(second.certificate, first.key)
  await clock.advance(10_000)
  expect((await credentials.current()).tls).toBe(before)
  write(second.certificate, second.key)
  await clock.advance(10_000)
  expect((await credentials.current()).tls.certificate).toBe(second.certificate)
})

test('a new authority in the file makes new connections', async () => {
  const clock = createManualClock()
  writeFileSync(at('ca'), 'one')
  const credentials = createCredentials(settingsFor(1, { authority: { kind: 'file', path: at('ca') } }), clock)
  const before = (await credentials.current()).tls
  expect((await credentials.current()).tls).toBe(before)
  writeFileSync(at('ca'), 'two')
  await clock.advance(10_000)
  expect((await credentials.current()).tls).toMatchObject({ authority: 'two' })
})

test('a plugin that gives a certificate needs no header', async () => {
  const { certificate, key } = await certificateFor('plugin')
  const plugin = { apiVersion: 'client.authentication.k8s.io/v1', command: 'x', args: [], env: {} } as const
  const status = { clientCertificateData: certificate, clientKeyData: key }
  const run = async () => JSON.stringify({ apiVersion: plugin.apiVersion, kind: 'ExecCredential', status })
  const credentials = createCredentials(settingsFor(1, { login: { kind: 'exec', plugin } }), createManualClock(), run)
  expect(await credentials.current()).toMatchObject({ headers: {}, tls: { certificate, key } })
})

test('password and impersonation become headers', async () => {
  const login = { kind: 'password', username: 'me', password: new HiddenText('pw') } as const
  const impersonate = { user: 'other', uid: '7', groups: ['a', 'b'], extra: { 'example.org/(x)': ['1'] } }
  const { headers } = await createCredentials(settingsFor(1, { login, impersonate }), createManualClock()).current()
  expect(headers).toEqual({
    authorization: `Basic ${Buffer.from('me:pw').toString('base64')}`,
    'impersonate-user': 'other',
    'impersonate-uid': '7',
    'impersonate-group': ['a', 'b'],
    'impersonate-extra-example.org%2F%28x%29': ['1'],
  })
})

test('settings in a log show no secret', () => {
  const settings = settingsFor(1, { login: { kind: 'token', token: new HiddenText('sesame') } })
  const texts = [inspect(settings, { depth: 9 }), JSON.stringify(settings), new HiddenText('sesame').toString()]
  expect(texts.join('\n')).not.toContain('sesame')
})

test('a crowd that is refused runs the plugin once, and one that stays refused does not run it for every request', async () => {
  const clock = createManualClock()
  const plugin = { apiVersion: 'client.authentication.k8s.io/v1', command: 'x', args: [], env: {} } as const
  let runs = 0
  const run = async () => {
    const status = { token: `t${Math.min(++runs, 2)}` } // the second token stays
    return JSON.stringify({ apiVersion: plugin.apiVersion, kind: 'ExecCredential', status })
  }
  const credentials = createCredentials(settingsFor(1, { login: { kind: 'exec', plugin } }), clock, run)
  const first = await credentials.current()
  const crowd = await Promise.all(Array.from({ length: 20 }, () => credentials.renew(first)))
  expect([crowd.every((isNew) => isNew), runs]).toEqual([true, 2])
  const second = await credentials.current()
  for (let refusal = 0; refusal < 20; refusal++) expect(await credentials.renew(second)).toBe(false)
  expect(runs).toBe(2)
  await clock.advance(10_000)
  expect([await credentials.renew(second), runs]).toEqual([false, 3])
})
