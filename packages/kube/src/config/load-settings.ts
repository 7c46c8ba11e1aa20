import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { findInClusterSettings } from './in-cluster.ts'
import { mergeKubeconfigs, parseKubeconfig, type KubeconfigDocument } from './kubeconfig-document.ts'
import { codeOf, misconfigured } from './misconfigured.ts'
import { findProxy } from './proxy-from-env.ts'
import { resolveContext } from './resolve-context.ts'
import type { ConnectionSettings } from './settings.ts'

/** What may be chosen; nothing of it must be. */
export interface LoadOptions {
  /** A kubeconfig that must exist: what a user gave as `--kubeconfig`. */
  readonly kubeconfig?: string | undefined
  readonly context?: string | undefined
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly home?: string
}

/**
 * Find out how to reach the API server: the kubeconfig that is named, else KUBECONFIG, else the service account of the
 * pod we are in, else `~/.kube/config`. Through a proxy if the kubeconfig names one, or else the environment.
 */
export async function loadSettings(options: LoadOptions = {}): Promise<ConnectionSettings> {
  const settings = await findSettings(options)
  const proxyUrl = settings.proxyUrl ?? findProxy(settings.server, options.env ?? process.env)
  return proxyUrl === undefined ? settings : { ...settings, proxyUrl }
}

async function findSettings(options: LoadOptions): Promise<ConnectionSettings> {
  const { kubeconfig, context, env = process.env, home = homedir() } = options
  if (kubeconfig !== undefined && kubeconfig !== '') return resolveContext(await readKubeconfig(kubeconfig), context)
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '')
  if (listed.length > 0) return resolveContext(await readKubeconfigs(listed), context)
  const inCluster = context === undefined ? await findInClusterSettings(env) : undefined
  return inCluster ?? resolveContext(await readKubeconfigs([join(home, '.kube', 'config')]), context)
}

/** Read one kubeconfig that must exist. */
export async function readKubeconfig(path: string): Promise<KubeconfigDocument> {
  return (await readIfThere(path)) ?? noneThere([path])
}

/** Read those that exist, and put them together. Throws when none does. */
export async function readKubeconfigs(paths: readonly string[]): Promise<KubeconfigDocument> {
  const found = (await Promise.all(paths.map(readIfThere))).filter((one) => one !== undefined)
  return found.length === 0 ? noneThere(paths) : mergeKubeconfigs(found)
}

async function readIfThere(path: string): Promise<KubeconfigDocument | undefined> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw misconfigured(`read kubeconfig ${path}`, codeOf(error), error)
  })
  return text === undefined ? undefined : parseKubeconfig(text, path, dirname(resolve(path)))
}

function noneThere(paths: readonly string[]): never {
  const hint = 'Name another with --kubeconfig or KUBECONFIG.'
  throw misconfigured(`read kubeconfig ${paths.join(', ')}`, `there is no such file. ${hint}`)
}
