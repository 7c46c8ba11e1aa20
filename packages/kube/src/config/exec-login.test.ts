import { expect, test } from 'vitest'
import { createManualClock } from '../transport/gen.ts'
import { execInfo, parseExecCredential } from './exec-credential.ts'
import { createExecLogin } from './exec-login.ts'
import { runPlugin } from './run-plugin.ts'
import type { ExecPlugin } from './settings.ts'

const plugin: ExecPlugin = { apiVersion: 'client.authentication.k8s.io/v1', command: 'login', args: [], env: {} }
const MINUTE = 60_000

function credential(status: object, apiVersion = plugin.apiVersion): string {
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', status })
}

function setup(lifeMs: number) {
  const clock = createManualClock()
  const state = { runs: 0, fails: false }
  const login = createExecLogin(plugin, clock, async () => {
    state.runs++
    if (state.fails) throw new Error('no network')
    return credential({ token: `t${state.runs}`, expirationTimestamp: new Date(clock.now() + lifeMs).toISOString() })
  })
  const token = async () => (await login.current()).token?.reveal()
  return { clock, state, login, token }
}

test('a credential is asked for once, and again a fifth of its life before it ends', async () => {
  const { clock, state, token } = setup(10 * MINUTE)
  expect(await Promise.all([token(), token(), token()])).toEqual(['t1', 't1', 't1'])
  await clock.advance(8 * MINUTE - 1)
  expect(await token()).toBe('t1')
  await clock.advance(1)
  expect(await token()).toBe('t2')
  expect(state.runs).toBe(2)
})

test('while an early renewal fails, the old credential stays in use until it really ends', async () => {
  const { clock, state, token } = setup(10 * MINUTE)
  await token()
  state.fails = true
  await clock.advance(9 * MINUTE)
  expect([await token(), await token(), state.runs]).toEqual(['t1', 't1', 2])
  await clock.advance(MINUTE)
  await expect(token()).rejects.toThrow('no network')
  state.fails = false
  expect(await token()).toBe('t4')
})

test('a credential that the server refused is not used again', async () => {
  const { login, token } = setup(10 * MINUTE)
  await token()
  login.forget()
  expect(await token()).toBe('t2')
})

test('a long-lived credential is renewed five minutes early, not days', async () => {
  const { clock, token } = setup(24 * 60 * MINUTE)
  await token()
  await clock.advance(24 * 60 * MINUTE - 6 * MINUTE)
  expect(await token()).toBe('t1')
})

test('certificates are taken from the output, and halves are refused', () => {
  const read = parseExecCredential(credential({ clientCertificateData: 'C', clientKeyData: 'K' }), plugin)
  expect([read.clientCertificate?.certificate, read.clientCertificate?.key.reveal()]).toEqual(['C', 'K'])
  expect(() => parseExecCredential(credential({ clientCertificateData: 'C' }), plugin)).toThrow(
    /certificate without key/,
  )
  expect(() => parseExecCredential(credential({}), plugin)).toThrow(/neither a token nor a certificate/)
})

test('an output that cannot be read is not quoted: it may hold a token', () => {
  for (const output of [
    'sesame',
    '"sesame"',
    credential({ token: 'sesame' }, 'client.authentication.k8s.io/v1beta1'),
  ]) {
    expect(() => parseExecCredential(output, plugin)).toThrow(/use exec plugin login/)
    expect(() => parseExecCredential(output, plugin)).not.toThrow(/sesame/)
  }
})

test('a real program is told the cluster and its variables, and its output comes back', async () => {
  const script = 'console.log(process.env.KUBERNETES_EXEC_INFO + process.env.EXTRA)'
  const real = {
    ...plugin,
    command: process.execPath,
    args: ['-e', script],
    env: { EXTRA: '!' },
    cluster: { server: 'https://x' },
  }
  expect((await runPlugin(real)).trim()).toBe(`${execInfo(real)}!`)
})

test('a program that is missing or fails says why, with the hint of its maker and without secrets', async () => {
  const missing = { ...plugin, command: 'no-such-program-anywhere', installHint: 'Run the installer.' }
  await expect(runPlugin(missing)).rejects.toThrow(/no such program. Run the installer./)
  const script = 'console.error("token=sesame expired, log in again"); process.exit(3)'
  const failing = runPlugin({ ...plugin, command: process.execPath, args: ['-e', script] })
  await expect(failing).rejects.toThrow(/it failed with 3: token=<hidden> expired, log in again/)
})
