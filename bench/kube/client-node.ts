/**
 * The other library: only the shapes that we use of it. It is not installed with the project, so the types are ours.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import type { Labels } from './side.ts'

/** Any object, as far as we look at it. */
interface Found {
  readonly metadata?: { readonly labels?: Labels }
}

/** Its kubeconfig. */
interface KubeConfig {
  readonly loadFromFile: (file: string) => void
  readonly makeApiClient: (api: unknown) => CoreApi
}

/** Its calls. */
interface CoreApi {
  readonly listPodForAllNamespaces: () => Promise<{ readonly items: readonly Found[] }>
  readonly readNamespacedConfigMap: (key: { readonly namespace: string; readonly name: string }) => Promise<Found>
}

/** Its cache. */
interface Informer {
  readonly start: () => Promise<void>
  readonly list: () => readonly Found[]
  readonly on: (verb: 'update' | 'error', hear: (object: Found) => void) => void
}

/** The module. */
export interface ClientNode {
  readonly KubeConfig: new () => KubeConfig
  readonly CoreV1Api: unknown
  readonly makeInformer: (config: KubeConfig, path: string, list: CoreApi['listPodForAllNamespaces']) => Informer
}

const NAME: string = '@kubernetes/client-node'

/** Load it; it must have been installed. */
export async function loadClientNode(): Promise<ClientNode> {
  return (await import(NAME)) as ClientNode
}

/** Its name and the version that is compared with. */
export function clientNodeTitle(): string {
  const text = readFileSync(new URL(`../node_modules/${NAME}/package.json`, import.meta.url), 'utf8')
  return `${NAME} ${(JSON.parse(text) as { readonly version: string }).version}`
}
