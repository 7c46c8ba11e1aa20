import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { mergeKubeconfigs, parseKubeconfig } from './kubeconfig-document.ts'
import { resolveContext } from './resolve-context.ts'

const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
const base64 = (text: string) => Buffer.from(text).toString('base64')

/** A kubeconfig with one context; `cluster` and `user` are lines of YAML. */
function kubeconfig(cluster: readonly string[], user: readonly string[], namespace = ''): string {
  const block = (lines: readonly string[]) =>
    lines.length === 0 ? ' {}' : `\n${lines.map((line) => `    ${line}`).join('\n')}`
  return [
    'apiVersion: v1\nkind: Config\ncurrent-context: here',
    `contexts:\n- name: here\n  context: { cluster: c, user: u${namespace === '' ? '' : `, namespace: ${namespace}`} }`,
    `clusters:\n- name: c\n  cluster:${block(cluster)}`,
    `users:\n- name: u\n  user:${block(user)}\n`,
  ].join('\n')
}

const server = 'server: https://kube.test:6443'
const settingsOf = (cluster: readonly string[], user: readonly string[] = []) =>
  resolveContext(parseKubeconfig(kubeconfig(cluster, user), 'file', '/etc/kube'))

test('a certificate beside the file is found, whatever our own folder is', () => {
  const settings = settingsOf(
    [server, 'certificate-authority: pki/ca.crt'],
    ['client-certificate: me.crt', 'client-key: /k/me.key'],
  )
  expect(settings).toMatchObject({
    authority: { kind: 'file', path: '/etc/kube/pki/ca.crt' },
    clientCertificate: { certificate: { path: '/etc/kube/me.crt' }, key: { path: '/k/me.key' } },
    login: { kind: 'none' },
    skipTlsVerify: false,
    namespace: 'default',
  })
})

test('data in the file wins over a file, as kubectl has it', () => {
  const { authority } = settingsOf([
    server,
    'certificate-authority: ca.crt',
    `certificate-authority-data: ${base64(pem)}`,
  ])
  expect(authority?.kind === 'data' && authority.pem.reveal()).toBe(pem)
})

describe('every way to log in', () => {
  const logins = [
    ['token file before token', ['token: abc', 'tokenFile: t'], { kind: 'token-file', path: '/etc/kube/t' }],
    ['token before plugin', ['token: abc', 'exec: { command: x }'], { kind: 'token' }],
    ['password', ['username: me', 'password: 12345'], { kind: 'password', username: 'me' }],
    ['nothing', [], { kind: 'none' }],
  ] as const
  for (const [name, user, login] of logins)
    test(name, () => expect(settingsOf([server], user).login).toMatchObject(login))
})

test('a plugin gets its arguments, environment and, if it wants, the cluster', () => {
  const exec = [
    'exec:',
    '  apiVersion: client.authentication.k8s.io/v1',
    '  command: ./bin/login',
    '  args: [--cluster, c]',
    '  env: [{ name: A, value: b }]',
    '  provideClusterInfo: true',
    '  interactiveMode: IfAvailable',
  ]
  const extensions = 'extensions: [{ name: client.authentication.k8s.io/exec, extension: { audience: x } }]'
  expect(settingsOf([server, 'tls-server-name: n', extensions], exec).login).toEqual({
    kind: 'exec',
    plugin: {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: '/etc/kube/bin/login',
      args: ['--cluster', 'c'],
      env: { A: 'b' },
      cluster: { server: 'https://kube.test:6443', 'tls-server-name': 'n', config: { audience: 'x' } },
    },
  })
})

test('impersonation with groups, uid and extra', () => {
  const user = ['as: other', 'as-uid: "7"', 'as-groups: [a, b]', 'as-user-extra: { scopes: [x, y] }']
  expect(settingsOf([server], user).impersonate).toEqual({
    user: 'other',
    uid: '7',
    groups: ['a', 'b'],
    extra: { scopes: ['x', 'y'] },
  })
})

describe('what cannot be used is named, with a way out, and no secret is shown', () => {
  const exec = (more: string) => `exec: { command: x, ${more} }`
  const refusals: readonly (readonly [cluster: readonly string[], user: readonly string[], words: RegExp])[] = [
    [
      [server],
      ['auth-provider: { name: gcp, config: { access-token: sesame } }'],
      /auth-provider "gcp" is not supported.*exec plugin/,
    ],
    [[server, 'proxy-url: socks5://p:1080'], [], /scheme "socks5" is not supported/],
    [[server], [exec('apiVersion: client.authentication.k8s.io/v1alpha1')], /v1alpha1.*Supported are/],
    [
      [server],
      [exec('apiVersion: client.authentication.k8s.io/v1, interactiveMode: Always')],
      /interactiveMode Always/,
    ],
    [[server], ['client-key-data: sesame'], /client-certificate and client-key belong together/],
    [
      [server, 'insecure-skip-tls-verify: true', `certificate-authority-data: ${base64(pem)}`],
      [],
      /contradict each other/,
    ],
    [['server: kube.test:6443'], [], /must be a URL that begins with https:\/\//],
    [[], [], /must be a URL/],
    [[server], ['as-groups: [a]'], /need "as"/],
  ]
  for (const [cluster, user, words] of refusals) {
    test(words.source, () => {
      expect(() => settingsOf(cluster, user)).toThrow(words)
      expect(() => settingsOf(cluster, user)).not.toThrow(/sesame/)
    })
  }
})

describe('contexts', () => {
  const document = parseKubeconfig(kubeconfig([server], [], 'mine'), 'file', '/')
  test('the namespace of the context is used', () => expect(resolveContext(document).namespace).toBe('mine'))
  test('an unknown context is answered with those that exist', () => {
    expect(() => resolveContext(document, 'there')).toThrow(
      /context there: there is none of this name. Choose one of: here/,
    )
  })
  test('no context at all', () => {
    expect(() => resolveContext(parseKubeconfig('', 'file', '/'))).toThrow(/no current-context is set/)
  })
  test('a context that refers to nothing', () => {
    const text = 'contexts: [{ name: a, context: { cluster: x, user: y } }]\ncurrent-context: a'
    expect(() => resolveContext(parseKubeconfig(text, 'file', '/'))).toThrow(/cluster "x" is not described/)
  })
})

describe('several files', () => {
  const one = parseKubeconfig(kubeconfig(['server: https://one'], ['token: a']), 'one', '/one')
  const two = parseKubeconfig(
    kubeconfig(['server: https://two'], []).replace('current-context: here', 'current-context: there'),
    'two',
    '/two',
  )
  test('the first word on a name stays', () => {
    expect(resolveContext(mergeKubeconfigs([one, two])).server).toBe('https://one')
    expect(resolveContext(mergeKubeconfigs([two, one]), 'here').server).toBe('https://two')
    expect(mergeKubeconfigs([two, one]).currentContext).toBe('there')
  })
  test('each file keeps its own folder for relative paths', () => {
    const file = (folder: string) => parseKubeconfig(kubeconfig([server], ['tokenFile: t']), folder, folder)
    expect(resolveContext(mergeKubeconfigs([parseKubeconfig('', 'empty', '/x'), file('/b')])).login).toMatchObject({
      path: '/b/t',
    })
  })
})

describe('a broken file', () => {
  test('is named, but its text is not quoted', () => {
    const broken = 'users: [{ name: u, user: { token: sesame: } }'
    expect(() => parseKubeconfig(broken, 'my.yaml', '/')).toThrow(
      /read kubeconfig my.yaml: it is not YAML near character \d+/,
    )
    expect(() => parseKubeconfig(broken, 'my.yaml', '/')).not.toThrow(/sesame/)
  })
  test('with lists where maps should be', () => {
    expect(() => parseKubeconfig('[]', 'f', '/')).toThrow(/not a map/)
    expect(() => parseKubeconfig('clusters: {}', 'f', '/')).toThrow(/"clusters" must be a list/)
    expect(() => parseKubeconfig('users: [{}]', 'f', '/')).toThrow(/"users" must be a list of entries with a name/)
  })
  test('that calls a cluster __proto__ gets a cluster of that name', () => {
    const text = kubeconfig([server], [])
      .replaceAll('cluster: c', 'cluster: __proto__')
      .replace('- name: c', '- name: __proto__')
    expect(parse(text)).toBeDefined()
    expect(resolveContext(parseKubeconfig(text, 'f', '/')).server).toBe('https://kube.test:6443')
  })
})
