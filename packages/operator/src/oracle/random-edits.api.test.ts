/**
 * After any history of edits, kills and bad values, the children are those that a fresh operator makes from the same
 * resources: nothing of the way is left. The same resources in a new namespace are the oracle.
 */
import fc from 'fast-check'
import {
  configMapResource,
  controllerRevisionResource,
  defineResource,
  deploymentResource,
  isFailure,
  podDisruptionBudgetResource,
  podResource,
  secretResource,
  serviceResource,
  statefulSetResource,
  type Client,
  type JsonObject,
  type KubeObject,
  type Live,
  type Resource,
} from '@slurm-operator/kube'
import { startApiServer, type ApiServer } from '@slurm-operator/local'
import { createMetrics } from '@slurm-operator/runtime'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { createLoops } from '../programs/loops.ts'
import {
  createNamespace,
  eventually,
  installKinds,
  runOperator,
  testClient,
  type RunningOperator,
} from '../testing/gen.ts'
import { anyHistory, cures, edited, firstSpecs, type EditedKind, type Happening } from './gen.ts'

const HISTORIES = 12
const SEED = Number(process.env['SEED'] ?? 20_261_116)

type OurObject = KubeObject & { readonly spec: JsonObject }
const ourResource = (kind: EditedKind): Resource<OurObject> =>
  defineResource<OurObject>({
    group: 'slinky.slurm.net',
    version: 'v1beta1',
    plural: edited[kind].plural,
    kind,
    namespaced: true,
  })
const kinds = Object.keys(edited) as EditedKind[]
const childResources = [
  ...[serviceResource, statefulSetResource, deploymentResource, configMapResource, secretResource],
  ...[podResource, podDisruptionBudgetResource, controllerRevisionResource],
] as unknown as readonly Resource<KubeObject>[]

let server: ApiServer
let client: Client
let operator: RunningOperator
let count = 0

const workers = { controller: 1, accounting: 1, restapi: 1, loginset: 1, token: 1, nodeset: 1, slurmclient: 1 }
const start = () => runOperator(server.kubeconfig, (world) => createLoops(world, workers, createMetrics()))

beforeAll(async () => {
  server = await startApiServer()
  client = await testClient(server.kubeconfig)
  await installKinds(client)
  operator = await start()
})
afterAll(async () => {
  await operator?.stop()
  client?.close()
  await server?.stop()
})

async function prepare(name: string, specs: Readonly<Record<EditedKind, Partial<OurObject>>>): Promise<string> {
  const namespace = await createNamespace(client, name)
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'keys', namespace },
    stringData: { key: 'k'.repeat(32) },
  }
  await client.resource(secretResource).create(secret as never)
  const maps = { files: { 'gres.conf': 'AutoDetect=off' }, scripts: { 'prolog.sh': '#!/bin/sh' } }
  for (const [map, data] of Object.entries(maps)) {
    await client
      .resource(configMapResource)
      .create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: map, namespace }, data })
  }
  for (const kind of kinds) {
    const { labels, annotations } = specs[kind].metadata ?? {}
    const metadata = {
      name: edited[kind].name,
      namespace,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
    }
    await client
      .resource(ourResource(kind))
      .create({ apiVersion: 'slinky.slurm.net/v1beta1', kind, metadata, spec: specs[kind].spec ?? {} })
  }
  return namespace
}

async function happen(what: Happening, namespace: string): Promise<void> {
  if (what === 'kill the operator') {
    await operator.stop()
    operator = await start()
    return
  }
  const key = { namespace, name: edited[what.kind].name }
  await client
    .resource(ourResource(what.kind))
    .patch(key, { type: 'merge', body: what.patch })
    .catch((error: unknown) => {
      if (!isFailure(error, 'Invalid')) throw error // refused by the schema: nothing happened
    })
}

async function read(namespace: string): Promise<Record<EditedKind, Live<OurObject>>> {
  const found = await Promise.all(
    kinds.map(async (kind) => [
      kind,
      await client.resource(ourResource(kind)).get({ namespace, name: edited[kind].name }),
    ]),
  )
  return Object.fromEntries(found) as Record<EditedKind, Live<OurObject>>
}

/** All children, without what differs between any two runs. */
async function children(namespace: string): Promise<readonly string[]> {
  const lists = await Promise.all(childResources.map((resource) => client.resource(resource).list({ namespace })))
  const texts = lists.flatMap(({ items }, index) =>
    items.map((item) => describeChild(item, childResources[index]?.kind ?? '', namespace)),
  )
  return texts.filter((text) => text !== '').sort()
}

function describeChild(item: Live<KubeObject>, kind: string, namespace: string): string {
  const { metadata, status: _status, ...rest } = item as Live<KubeObject> & { readonly status?: unknown }
  if ((metadata.ownerReferences ?? []).length === 0) return ''
  const kept = {
    name: metadata.name,
    // Labels of a NodeSet are no reason to replace its workers.
    ...(kind === 'Pod' ? {} : { labels: metadata.labels, annotations: metadata.annotations }),
    owners: (metadata.ownerReferences ?? []).map(({ kind: of, name, controller }) => ({ of, name, controller })),
  }
  const text = JSON.stringify({ kind, metadata: kept, ...withoutAllocated(rest, kind, metadata.name) })
  return text
    .replaceAll(namespace, 'NAMESPACE')
    .replaceAll(
      /"([a-z.]*slurm.net\/)?(ssh-host-keys|slurm-config|slurm-restart|registration|slurmdbd-conf)-hash":"[^"]*"/g,
      '"hash":""',
    )
}

/** A copy that may be cut. */
interface Loose {
  spec?: Record<string, unknown> & { ports?: Record<string, unknown>[] }
  data?: unknown
  revision?: unknown
}

/** Addresses, random keys and tokens, and how often a template has changed. */
function withoutAllocated(rest: object, kind: string, name: string): object {
  const copy = JSON.parse(JSON.stringify(rest)) as Loose
  for (const field of ['clusterIP', 'clusterIPs', 'healthCheckNodePort'])
    if (kind === 'Service' && copy.spec?.[field] !== 'None') delete copy.spec?.[field]
  for (const port of kind === 'Service' ? (copy.spec?.ports ?? []) : []) delete port['nodePort']
  if (kind === 'Secret' && !name.endsWith('-accounting')) delete copy.data
  if (kind === 'ControllerRevision') delete copy.revision
  return copy
}

function firstDifference(one: string, other: string): string {
  const at = Array.from({ length: one.length }, (_, index) => index).find((index) => one[index] !== other[index]) ?? 0
  const around = (text: string) => text.slice(Math.max(0, at - 150), at + 150)
  return `${one.slice(0, 70)} …${around(one)}… and not …${around(other)}…`
}

describe('the operator on a real API server prevents that', () => {
  test('what was before an edit, a kill or a bad value stays in the children', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async (history) => {
        count += 1
        const first = Object.fromEntries(kinds.map((kind) => [kind, { spec: firstSpecs[kind] }]))
        const edits = await prepare(`edits-${count}`, first as never)
        for (const what of [...history, ...cures]) await happen(what, edits)
        const fresh = await prepare(`fresh-${count}`, await read(edits))
        await eventually('both to have the same children', async () => {
          const [one, other] = await Promise.all([children(edits), children(fresh)])
          const different = one.flatMap((text, index) =>
            text === other[index] ? [] : [firstDifference(text, other[index] ?? '')],
          )
          if (different.length > 0 || one.length !== other.length)
            throw new Error(different.join('\n') || 'not as many')
          return true
        })
      }),
      { numRuns: HISTORIES, seed: SEED, endOnFailure: true },
    )
    console.log(`${HISTORIES} histories from seed ${SEED}`)
  })
})
