import { access, readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import type { ConnectionSettings } from './settings.ts'

const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount'

/**
 * The settings that every pod is given; undefined outside of pods and in pods without a token. The token and the
 * authority stay files: Kubernetes replaces them while we run.
 */
export async function findInClusterSettings(
  env: Readonly<Record<string, string | undefined>>,
  folder = ACCOUNT_FOLDER,
): Promise<ConnectionSettings | undefined> {
  const [host, port] = [env['KUBERNETES_SERVICE_HOST'] ?? '', env['KUBERNETES_SERVICE_PORT'] ?? '']
  const token = join(folder, 'token')
  if (host === '' || port === '' || !(await isReadable(token))) return undefined
  const namespace = await readFile(join(folder, 'namespace'), 'utf8').catch(() => '') // old clusters mount none
  return {
    server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
    namespace: namespace.trim() || 'default',
    authority: { kind: 'file', path: join(folder, 'ca.crt') },
    skipTlsVerify: false,
    login: { kind: 'token-file', path: token },
  }
}

async function isReadable(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
