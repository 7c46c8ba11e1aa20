import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startRealServer } from '../client/real/gen.ts'
import { KubeError } from '../errors/kube-error.ts'
import { isJsonList, isJsonObject, withoutKeys, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { mergeSchema } from '../types/generated/merge-schema.ts'
import { applyStrategicMerge } from './apply-strategic-merge.ts'
import { createTwoWayPatch } from './create-strategic-patch.ts'
import { StrategicMergeError } from './directives.ts'
import { anyDeployment, anyPatchOf, DEPLOYMENT } from './gen.ts'

const COLLECTION = '/apis/apps/v1/namespaces/default/deployments'
const STORED = 30
const PATCHES_EACH = 50
const seed = Number(process.env['SEED'] ?? 1)

const { client } = await startRealServer()

test(`the server answers a patch as it answers our merged object (SEED=${seed})`, async () => {
  const counts = { same: 0, refused: 0 }
  for (const [index, document] of fc.sample(anyDeployment, { seed, numRuns: STORED }).entries()) {
    const live = await store(document, `d${index}`)
    const patches = fc.sample(fc.oneof(anyPatchOf(anyDeployment), anyDeployment), {
      seed: seed + index,
      numRuns: PATCHES_EACH,
    })
    const answers = await Promise.all(patches.map((patch) => compare(live, patch)))
    counts.same += answers.filter((accepted) => accepted).length
    counts.refused += answers.filter((accepted) => !accepted).length
  }
  console.info(`strategic merge, SEED=${seed}: ${counts.same} patches accepted alike, ${counts.refused} refused alike`)
  expect(counts.same).toBeGreaterThan((STORED * PATCHES_EACH) / 20)
})

test(`the server turns one object into another by our patch (SEED=${seed})`, async () => {
  const pairs = fc.sample(fc.tuple(anyDeployment, anyDeployment), { seed: seed + 1, numRuns: STORED })
  for (const [index, [from, to]] of pairs.entries()) {
    const live = await store(from, `p${index}`)
    const target = { ...live, ...withoutKeys(storable(to, `p${index}`), ['metadata']) }
    const patch = createTwoWayPatch(live, target, mergeSchema, DEPLOYMENT)
    const [patched, put] = await Promise.all([dryPatch(live, patch), dryPut(target)])
    expect(patched, JSON.stringify({ live, patch })).toEqual(put)
  }
})

const refusedSomehow = { refusedWith: expect.any(Array) as JsonValue }

/** Whether the server took the patch; in any case it must say the same to both. */
async function compare(live: JsonObject, patch: JsonObject): Promise<boolean> {
  const patched = await dryPatch(live, patch)
  const merged = merge(live, patch)
  // What we cannot merge the server must refuse, for whatever reason.
  const expected = merged ? await dryPut(merged, nameOf(live)) : refusedSomehow
  expect(patched, JSON.stringify({ live, patch })).toEqual(expected)
  return !('refusedWith' in patched)
}

function merge(live: JsonObject, patch: JsonObject): JsonObject | undefined {
  try {
    return applyStrategicMerge(live, patch, mergeSchema, DEPLOYMENT)
  } catch (error) {
    if (error instanceof StrategicMergeError) return undefined
    throw error
  }
}

async function store(document: JsonObject, name: string): Promise<JsonObject> {
  const body = JSON.stringify(storable(document, name))
  const { text } = await client.raw({ method: 'POST', path: COLLECTION, contentType: 'application/json', body })
  const live = JSON.parse(text) as JsonObject
  return { ...live, metadata: withoutKeys(live['metadata'] as JsonObject, ['managedFields']) }
}

const dryPatch = (live: JsonObject, patch: JsonObject) =>
  dryRun('PATCH', 'application/strategic-merge-patch+json', nameOf(live), patch)
const dryPut = (object: JsonObject, name = nameOf(object)) => dryRun('PUT', 'application/json', name, object)

async function dryRun(
  method: 'PATCH' | 'PUT',
  contentType: string,
  name: string,
  body: JsonObject,
): Promise<JsonObject> {
  const path = `${COLLECTION}/${name}`
  try {
    const { text } = await client.raw({
      method,
      path,
      query: { dryRun: 'All' },
      contentType,
      body: JSON.stringify(body),
    })
    const { metadata, ...rest } = JSON.parse(text) as JsonObject
    return { ...rest, metadata: withoutKeys(metadata as JsonObject, ['managedFields', 'generation']) }
  } catch (error) {
    // A patch that contradicts itself is an internal error to the server.
    if (!(error instanceof KubeError) || error.code === undefined) throw error
    return { refusedWith: causesOf(error) }
  }
}

/** Of a refusal only what it says about fields: the rest names the verb. */
function causesOf(error: KubeError): JsonValue {
  return error.causes.map(({ field = '', reason, message }) => `${field} ${reason} ${message}`).toSorted()
}

function nameOf(object: JsonObject): string {
  return (object['metadata'] as { name: string }).name
}

/** What the server needs before it stores a Deployment; the rest stays as random as it was. */
function storable(document: JsonObject, name: string): JsonObject {
  const { metadata = {}, spec = {} } = document as { metadata?: JsonObject; spec?: JsonObject }
  const { template = {} } = spec as { template?: JsonObject }
  const { metadata: inner = {}, spec: pod = {} } = template as { metadata?: JsonObject; spec?: JsonObject }
  const labels = { ...(inner['labels'] as JsonObject | undefined), app: name }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadata, name, ownerReferences: [] },
    spec: {
      ...spec,
      strategy: { type: 'RollingUpdate' },
      selector: { matchLabels: { app: name } },
      template: { metadata: { ...withoutKeys(inner, ['ownerReferences']), labels }, spec: storablePod(pod) },
    },
  }
}

function storablePod(pod: JsonObject): JsonObject {
  const containers = listOf(pod['containers']).map((container, index) => ({
    ...withoutKeys(container, ['volumeMounts', 'ports', 'securityContext']),
    ports: listOf(container['ports']).map((port) => ({
      ...port,
      name: `p-${index}-${JSON.stringify(port['containerPort'])}`,
    })),
    image: 'x',
  }))
  const volumes = listOf(pod['volumes']).map(({ name }) => ({ name, emptyDir: {} }))
  const kept = withoutKeys(pod, ['tolerations', 'hostNetwork'])
  return { ...kept, volumes, containers: containers.length > 0 ? containers : [{ name: 'a', image: 'x' }] }
}

function listOf(value: JsonValue | undefined): JsonObject[] {
  return isJsonList(value) ? value.filter((element) => isJsonObject(element)) : []
}
