import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findInClusterSettings } from './in-cluster.ts'
import { loadSettings } from './load-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'kube-config-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

function config(name: string, server: string, context = name): string {
  const text = {
    clusters: [{ name, cluster: { server } }],
    contexts: [{ name: context, context: { cluster: name } }],
    'current-context': context,
  }
  writeFileSync(at(name), JSON.stringify(text))
  return at(name)
}

beforeAll(() => {
  mkdirSync(at('home/.kube'), { recursive: true })
  config('home/.kube/config', 'https://home', 'home')
})

test('a file that is named wins over the environment, and must exist', async () => {
  const kubeconfig = config('a', 'https://a')
  expect((await loadSettings({ kubeconfig, env: { KUBECONFIG: config('b', 'https://b') } })).server).toBe('https://a')
  await expect(loadSettings({ kubeconfig: at('none') })).rejects.toThrow(
    /read kubeconfig .*none: there is no such file/,
  )
})

test('KUBECONFIG may name files that do not exist, as long as one does', async () => {
  const env = { KUBECONFIG: `${at('missing')}::${config('b', 'https://b')}:${config('c', 'https://c')}` }
  expect((await loadSettings({ env })).server).toBe('https://b')
  expect((await loadSettings({ env, context: 'c' })).server).toBe('https://c')
  await expect(loadSettings({ env: { KUBECONFIG: at('missing') } })).rejects.toMatchObject({ reason: 'Misconfigured' })
})

test('without anything else the home folder counts', async () => {
  expect((await loadSettings({ env: {}, home: at('home') })).server).toBe('https://home')
})

test('a pod uses its service account, also with an IPv6 address', async () => {
  mkdirSync(at('account'))
  for (const name of ['token', 'ca.crt']) writeFileSync(at(`account/${name}`), 'x')
  writeFileSync(at('account/namespace'), 'mine\n')
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' }
  expect(await findInClusterSettings(env, at('account'))).toEqual({
    server: 'https://[fd00::1]:443',
    namespace: 'mine',
    authority: { kind: 'file', path: at('account/ca.crt') },
    skipTlsVerify: false,
    login: { kind: 'token-file', path: at('account/token') },
  })
})

test('a pod without a token is not taken for one with a token', async () => {
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }
  expect(await findInClusterSettings(env, at('nowhere'))).toBeUndefined()
  expect(await findInClusterSettings({}, at('account'))).toBeUndefined()
})

test('the proxy of the environment is used unless the kubeconfig names another', async () => {
  const env = { HTTPS_PROXY: 'http://everybodys:1', NO_PROXY: 'near' }
  expect((await loadSettings({ kubeconfig: config('far', 'https://far'), env })).proxyUrl).toBe('http://everybodys:1')
  expect(await loadSettings({ kubeconfig: config('near', 'https://near'), env })).not.toHaveProperty('proxyUrl')
  const own = { name: 'own', cluster: { server: 'https://far', 'proxy-url': 'http://own:1' } }
  const contexts = [{ name: 'own', context: { cluster: 'own' } }]
  writeFileSync(at('own'), JSON.stringify({ clusters: [own], contexts, 'current-context': 'own' }))
  expect((await loadSettings({ kubeconfig: at('own'), env })).proxyUrl).toBe('http://own:1')
})
