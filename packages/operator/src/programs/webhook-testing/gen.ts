/**
 * Test data: a real API server that asks our webhook program, which runs in the process of the test. The API server
 * finds it as it would in a cluster, through a Service, and trusts it because of what the program wrote itself.
 *
 * @module
 */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import {
  createClient,
  customResourceDefinitionResource,
  KubeError,
  loadSettings,
  nodeResource,
  podResource,
  serviceAccountResource,
  serviceResource,
  type Client,
  type JsonObject,
  type ObjectMeta,
} from '@slurm-operator/kube'
import { buildCrd, kinds } from '@slurm-operator/api'
import { startApiServer, untilTrue } from '@slurm-operator/local'
import { parseFlags, silentLogger } from '@slurm-operator/runtime'
import { objectOf, type Row, type ValidatedKind } from '../../admission/gen.ts'
import { webhookFlags } from '../webhook-flags.ts'
import { runWebhook } from '../webhook-program.ts'
import { installHooks } from './install-hooks.ts'
import { grantRights, RIGHTS_FOR } from './rights.ts'
import { buildNamespace, buildSurroundings } from './surroundings.ts'

const NAMESPACE = 'slurm'
const KUBE_NODE = 'kube-node'
const WAIT = { timeoutMs: 30_000 }

/** What a server said to a request. */
interface Answer {
  readonly error: string | undefined
  readonly warnings: readonly string[]
}

/** One row, ready to be played. */
interface Place extends AsyncDisposable {
  /** What the server said to the old object, if it did not take it. */
  readonly refusedBefore: string | undefined
  readonly apply: () => Promise<Answer>
}

/** The API server and the webhook. */
export interface HookedServer extends AsyncDisposable {
  readonly install: (version: 'v1' | 'v1beta1') => Promise<void>
  readonly tryCreate: (object: JsonObject, dryRun?: boolean) => Promise<Answer>
  readonly prepare: (kind: ValidatedKind, row: Row) => Promise<Place>
  /** Create a pod, bind it, and return its annotations. */
  readonly bind: (name: string, metadata: ObjectMeta) => Promise<Readonly<Record<string, string>> | undefined>
  /** Send bindings to a port at which nobody answers. */
  readonly breakBindings: () => Promise<void>
  /** Ask the probe server. */
  readonly get: (path: string) => Promise<{ readonly status: number; readonly text: string }>
}

/** Start both. */
export async function startHookedServer(): Promise<HookedServer> {
  await using cleanup = new AsyncDisposableStack()
  const api = cleanup.use(await startApiServer())
  const client = createClient(await loadSettings({ kubeconfig: api.kubeconfig }))
  cleanup.defer(async () => client.close())
  await makeWorld(client)
  await grantRights(client, NAMESPACE)
  const kubeconfig = join(api.folder, 'webhook.conf')
  writeFileSync(kubeconfig, await api.kubeconfigFor({ name: RIGHTS_FOR }))
  const { port, healthPort, end } = await startProgram(kubeconfig)
  cleanup.defer(end)
  const install = async (version: 'v1' | 'v1beta1') => {
    await installHooks(client, { port, bindingPort: port, version })
    await untilTrue('the API server to ask us', () => isAsked(client, version), WAIT)
  }
  await install('v1')
  const kept = cleanup.move()
  return {
    install,
    tryCreate: (object, dryRun = false) => trySend(client, 'POST', object, dryRun),
    prepare: (kind, row) => prepare(client, kind, row),
    bind: (name, metadata) => bind(client, name, metadata),
    breakBindings: () => installHooks(client, { port, bindingPort: 1, version: 'v1' }),
    get: async (path) => {
      const answer = await fetch(`http://127.0.0.1:${healthPort}${path}`)
      return { status: answer.status, text: (await answer.text()).trim() }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function startProgram(kubeconfig: string) {
  const { promise: listening, resolve: onListening } = Promise.withResolvers<number>()
  const asked = new AbortController()
  const healthPort = await findFreePort()
  const parsed = parseFlags(webhookFlags, [
    ...['--kubeconfig', kubeconfig, '--server-addr=127.0.0.1:0', `--health-addr=127.0.0.1:${healthPort}`],
    ...[`--cert-secret=${NAMESPACE}/webhook-certificates`, `--cert-service=webhook.${NAMESPACE}`],
    ...['--webhook-configurations=hooks', '--zap-log-level=error'],
  ])
  if (parsed.kind !== 'run') throw new Error('the flags of the test are wrong')
  const ended = runWebhook(parsed, { asked: asked.signal, useLogger: () => silentLogger, onListening })
  const early = ended.then(({ because }) => Promise.reject(new Error(`the webhook ended: ${because}`)))
  const port = await Promise.race([listening, early])
  return {
    port,
    healthPort,
    end: async () => {
      asked.abort()
      await ended
    },
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function makeWorld(client: Client): Promise<void> {
  const crds = client.resource(customResourceDefinitionResource)
  await Promise.all(Object.values(kinds).map((kind) => crds.create(buildCrd(kind))))
  await buildNamespace(client, NAMESPACE)
  await client.resource(serviceAccountResource).create({
    ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
    metadata: { namespace: NAMESPACE, name: 'default' },
  })
  await client.resource(serviceResource).create({
    ...{ apiVersion: 'v1', kind: 'Service' },
    metadata: { namespace: NAMESPACE, name: 'webhook' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  })
  await client.resource(nodeResource).create({
    ...{ apiVersion: 'v1', kind: 'Node' },
    metadata: { name: KUBE_NODE, annotations: { 'topology.slinky.slurm.net/spec': 'topo-block:b0' } },
  })
  const isServed = async () => (await trySend(client, 'POST', objectOf('Token'), true)).error === undefined
  await untilTrue('our kinds', isServed, WAIT)
}

/** Until what we say is what people hear: the API server learns of configurations a moment later. */
async function isAsked(client: Client, version: string): Promise<boolean> {
  const wrong = objectOf('NodeSet', { extraConf: 'x' }, { name: `probe-${version}` })
  const { error } = await trySend(client, 'POST', wrong, true)
  return error?.includes('denied the request') ?? false
}

async function prepare(client: Client, kind: ValidatedKind, { spec, metadata, before, world }: Row): Promise<Place> {
  const surroundings = await buildSurroundings(client, NAMESPACE, world ?? {})
  const object = objectOf(kind, spec, metadata)
  const old = { ...objectOf(kind, before, { ...metadata, labels: { unjudged: 'yes' } }) }
  const stored = before === undefined ? undefined : await trySend(client, 'POST', old)
  return {
    refusedBefore: stored?.error,
    apply: () => trySend(client, before === undefined ? 'POST' : 'PUT', object),
    async [Symbol.asyncDispose]() {
      await client.raw({ method: 'DELETE', path: pathOf(object, 'named') }).catch(() => undefined)
      await surroundings[Symbol.asyncDispose]()
    },
  }
}

async function trySend(client: Client, method: 'POST' | 'PUT', object: JsonObject, dryRun = false): Promise<Answer> {
  const path = pathOf(object, method === 'PUT' ? 'named' : 'collection')
  try {
    const body = JSON.stringify(method === 'PUT' ? await withVersion(client, path, object) : object)
    const query = dryRun ? { dryRun: 'All' } : {}
    const { headers } = await client.raw({ method, path, query, body, contentType: 'application/json' })
    return { error: undefined, warnings: readWarnings(headers) }
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    return { error: error.message, warnings: [] }
  }
}

async function withVersion(client: Client, path: string, object: JsonObject): Promise<JsonObject> {
  const { text } = await client.raw({ method: 'GET', path })
  const { metadata } = JSON.parse(text) as { metadata: { resourceVersion: string } }
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), resourceVersion: metadata.resourceVersion } }
}

function pathOf({ kind, metadata }: JsonObject, form: 'named' | 'collection'): string {
  const { plural } = kinds[kind as ValidatedKind]
  const folder = `/apis/slinky.slurm.net/v1beta1/namespaces/${NAMESPACE}/${plural}`
  return form === 'named' ? `${folder}/${(metadata as { name: string }).name}` : folder
}

function readWarnings(headers: Readonly<Record<string, string | readonly string[] | undefined>>): string[] {
  const text = [headers['warning'] ?? []].flat().join(', ')
  return Array.from(text.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g), ([, quoted = '']) => quoted.replaceAll(/\\(.)/g, '$1'))
}

async function bind(client: Client, name: string, metadata: ObjectMeta) {
  const pods = client.resource(podResource)
  await pods.create({
    ...{ apiVersion: 'v1', kind: 'Pod' },
    metadata: { ...metadata, namespace: NAMESPACE, name },
    spec: { containers: [{ name: 'main', image: 'none' }] },
  })
  const target = { apiVersion: 'v1', kind: 'Node', name: KUBE_NODE }
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace: NAMESPACE }, target } as const
  await pods.binding.create({ namespace: NAMESPACE, name }, binding)
  return (await pods.get({ namespace: NAMESPACE, name })).metadata.annotations
}
