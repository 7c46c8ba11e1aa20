import {
  configMapResource,
  createClientOn,
  type Change,
  type Client,
  type ConfigMap,
  isFailure,
  KubeError,
  type KubeObject,
  namespaceResource,
  type ResourceClient,
  type WatchOptions,
} from '@slurm-operator/kube'
import { beforeAll } from 'vitest'
import type { GetServer, ServerUnderTest } from './server-under-test.ts'
import { widgetDefinition, widgetResource, type Widget } from './widget.ts'

/** What the tests of one suite work with: a client, and a namespace of their own. */
export interface Bench {
  readonly server: ServerUnderTest
  readonly client: Client
  readonly namespace: string
  readonly configMaps: ResourceClient<ConfigMap>
  readonly widgets: ResourceClient<Widget>
  /** Warnings of the server so far. */
  readonly warnings: readonly string[]
}

/** Prepare a bench before the tests of a suite. */
export function useBench(getServer: GetServer, namespace: string): () => Bench {
  let bench: Bench
  beforeAll(async () => {
    const server = getServer()
    const warnings: string[] = []
    const options = { clock: server.clock, retry: { maxTries: 1 }, onWarning: (text: string) => warnings.push(text) }
    const client = createClientOn(server.transport, options)
    const namespaces = client.resource(namespaceResource)
    if ((await namespaces.find({ name: namespace })) === undefined) {
      await namespaces.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    }
    const [configMaps, widgets] = [client.resource(configMapResource), client.resource(widgetResource)]
    bench = { server, client, namespace, warnings, configMaps, widgets }
    await defineWidgets(bench)
  })
  return () => bench
}

/** A real server needs a moment until it serves a new kind. */
async function defineWidgets({ client, widgets, server }: Bench): Promise<void> {
  const isServed = async () => {
    try {
      await widgets.list({ namespace: 'default' })
      return true
    } catch (error) {
      if (isFailure(error, 'NotFound', 'TooManyRequests')) return false
      throw error
    }
  }
  if (await isServed()) return
  await client.raw({
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: JSON.stringify(widgetDefinition),
    contentType: 'application/json',
  })
  for (let tries = 0; !(await isServed()); tries++) {
    if (tries > 200) throw new Error('Cannot go on: the server does not serve the new kind.')
    await server.wait(new Promise<void>((resolve) => void server.clock.schedule(50, resolve)))
  }
}

/** The error that a call must end with. */
export async function failureOf(call: Promise<unknown>): Promise<KubeError> {
  try {
    await call
  } catch (error) {
    if (error instanceof KubeError) return error
    throw error
  }
  throw new Error('The call was expected to fail, and did not.')
}

/** The changes that a watch tells until it has told so many, or until its time is over. */
export async function takeChanges<T extends KubeObject>(
  { server }: Bench,
  resource: ResourceClient<T>,
  options: WatchOptions,
  count = Infinity,
): Promise<Change<T>[]> {
  const stop = new AbortController()
  const collect = async () => {
    const changes: Change<T>[] = []
    for await (const change of resource.watch({ ...options, signal: stop.signal })) {
      changes.push(change)
      if (changes.length >= count) break
    }
    return changes
  }
  try {
    return await server.wait(collect())
  } finally {
    stop.abort()
  }
}

/** Changes as short texts, such as `ADDED one`. */
export function describeChanges<T extends KubeObject>(changes: readonly Change<T>[]): string[] {
  return changes.map((change) => {
    if (change.type === 'BOOKMARK') return change.isInitialEnd ? 'INITIAL END' : 'BOOKMARK'
    return change.type === 'ERROR' ? `ERROR ${change.error.code}` : `${change.type} ${change.object.metadata.name}`
  })
}
