import { isMap, listAt, mapAt, textAt, type Fields, type KubeconfigDocument } from './kubeconfig-document.ts'
import { misconfigured } from './misconfigured.ts'
import { readExecPlugin } from './resolve-exec.ts'
import { HiddenText } from './hidden-text.ts'
import type { ConnectionSettings, Impersonation, Login, Pem } from './settings.ts'

/** The settings of one context, by default of the current one. Throws an error that names what is missing or unknown. */
export function resolveContext(document: KubeconfigDocument, wanted?: string): ConnectionSettings {
  const name = wanted ?? document.currentContext
  const request = `use kubeconfig context ${name ?? '(none)'}`
  if (name === undefined)
    throw misconfigured(request, `no current-context is set. Choose one of: ${namesOf(document.contexts)}`)
  const context = document.contexts.get(name)
  if (context === undefined)
    throw misconfigured(request, `there is none of this name. Choose one of: ${namesOf(document.contexts)}`)
  const cluster = document.clusters.get(textAt(context, 'cluster'))
  if (cluster === undefined)
    throw misconfigured(request, `its cluster "${textAt(context, 'cluster')}" is not described`)
  const user = textAt(context, 'user') === '' ? {} : document.users.get(textAt(context, 'user'))
  if (user === undefined) throw misconfigured(request, `its user "${textAt(context, 'user')}" is not described`)
  return {
    namespace: textAt(context, 'namespace') || 'default',
    ...readCluster(cluster, request),
    ...readUser(user, cluster, request),
  }
}

function readCluster(cluster: Fields, request: string) {
  const authority = readPem(cluster, 'certificate-authority')
  const skipTlsVerify = cluster['insecure-skip-tls-verify'] === true
  if (skipTlsVerify && authority !== undefined) {
    throw misconfigured(
      request,
      'certificate-authority and insecure-skip-tls-verify contradict each other. Remove one.',
    )
  }
  const [serverName, proxyUrl] = [textAt(cluster, 'tls-server-name'), textAt(cluster, 'proxy-url')]
  return {
    server: checkServer(textAt(cluster, 'server'), request),
    skipTlsVerify,
    ...(authority !== undefined && { authority }),
    ...(serverName !== '' && { serverName }),
    ...(proxyUrl !== '' && { proxyUrl: checkProxy(proxyUrl, request) }),
  }
}

function checkServer(server: string, request: string): string {
  if (/^https?:\/\/[^/]/.test(server) && URL.canParse(server)) return server
  throw misconfigured(request, 'the address of its server must be a URL that begins with https:// or http://')
}

function checkProxy(proxyUrl: string, request: string): string {
  const scheme = /^([a-z0-9+.-]+):\/\//i.exec(proxyUrl)?.[1] ?? 'none'
  if ((scheme === 'http' || scheme === 'https') && URL.canParse(proxyUrl)) return proxyUrl
  throw misconfigured(request, `proxy-url with scheme "${scheme}" is not supported. Use an http:// or https:// proxy.`)
}

function readUser(user: Fields, cluster: Fields, request: string) {
  if (Object.hasOwn(user, 'auth-provider')) {
    const provider = textAt(mapAt(user, 'auth-provider'), 'name')
    throw misconfigured(
      request,
      `auth-provider "${provider}" is not supported, nor by kubectl any more. Use an exec plugin.`,
    )
  }
  const impersonate = readImpersonation(user, request)
  return {
    login: readLogin(user, cluster, request),
    ...readClientCertificate(user, request),
    ...(impersonate !== undefined && { impersonate }),
  }
}

function readLogin(user: Fields, cluster: Fields, request: string): Login {
  const [tokenFile, token, username] = [textAt(user, 'tokenFile'), textAt(user, 'token'), textAt(user, 'username')]
  if (tokenFile !== '') return { kind: 'token-file', path: tokenFile }
  if (token !== '') return { kind: 'token', token: new HiddenText(token) }
  if (isMap(user['exec'])) return { kind: 'exec', plugin: readExecPlugin(user['exec'], cluster, request) }
  if (username !== '') return { kind: 'password', username, password: new HiddenText(textAt(user, 'password')) }
  return { kind: 'none' }
}

function readClientCertificate(user: Fields, request: string): Pick<ConnectionSettings, 'clientCertificate'> {
  const [certificate, key] = [readPem(user, 'client-certificate'), readPem(user, 'client-key')]
  if (certificate === undefined && key === undefined) return {}
  if (certificate !== undefined && key !== undefined) return { clientCertificate: { certificate, key } }
  throw misconfigured(request, 'client-certificate and client-key belong together. Give both.')
}

function readPem(fields: Fields, name: string): Pem | undefined {
  const [data, path] = [textAt(fields, `${name}-data`), textAt(fields, name)]
  if (data !== '') return { kind: 'data', pem: new HiddenText(Buffer.from(data, 'base64').toString('utf8')) }
  return path === '' ? undefined : { kind: 'file', path }
}

function readImpersonation(user: Fields, request: string): Impersonation | undefined {
  const [name, uid] = [textAt(user, 'as'), textAt(user, 'as-uid')]
  const groups = listAt(user, 'as-groups').map(String)
  const extra = Object.entries(mapAt(user, 'as-user-extra')).map(([key, values]) => [key, textsOf(values)] as const)
  if (name === '') {
    if (uid === '' && groups.length === 0 && extra.length === 0) return undefined
    throw misconfigured(request, 'as-uid, as-groups and as-user-extra need "as": the user to act as')
  }
  return { user: name, groups, extra: Object.fromEntries(extra), ...(uid !== '' && { uid }) }
}

function textsOf(values: unknown): string[] {
  return Array.isArray(values) ? values.map(String) : []
}

function namesOf(entries: ReadonlyMap<string, unknown>): string {
  return entries.size === 0 ? '(there are none)' : [...entries.keys()].join(', ')
}
