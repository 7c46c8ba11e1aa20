import { findProblems, kinds, printProblem, type OurKind } from '@slurm-operator/api'
import { defineResource, type Client, type JsonObject, type Resource } from '@slurm-operator/kube'
import { startApiServer, type ApiServer } from '@slurm-operator/local'
import { createMetrics } from '@slurm-operator/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLoops } from '../programs/loops.ts'
import { createNamespace, eventually, installKinds, runOperator, testClient } from '../testing/gen.ts'
import { listFiles, pages, readBlocks, readManifests, readProjectFile, type Manifest } from './gen.ts'

const examples = listFiles('examples/kinds', '.yaml').map(
  (file) => [file, readManifests(readProjectFile(file))] as const,
)
const shown = pages.flatMap((page) =>
  readBlocks(page, 'yaml').map((text, place) => [`${page} ${place + 1}`, text] as const),
)
const core: Readonly<Record<string, string>> = {
  ...{ ConfigMap: 'configmaps', Secret: 'secrets', PersistentVolumeClaim: 'persistentvolumeclaims' },
}

let server: ApiServer
let client: Client

beforeAll(async () => {
  server = await startApiServer()
  client = await testClient(server.kubeconfig)
  await installKinds(client)
})
afterAll(async () => {
  client?.close()
  await server?.stop()
})

function resourceOf({ kind }: Manifest): Resource<Manifest> {
  const plural = core[kind]
  if (plural !== undefined) return defineResource({ group: '', version: 'v1', plural, kind, namespaced: true })
  const { plural: ours } = kinds[kind as OurKind]
  return defineResource({ group: 'slinky.slurm.net', version: 'v1beta1', plural: ours, kind, namespaced: true })
}

function apply(manifest: Manifest, namespace: string, dryRun = false): Promise<Manifest> {
  const object = { ...manifest, metadata: { ...manifest.metadata, namespace } }
  const options = { fieldManager: 'test', fieldValidation: 'Strict', force: true, dryRun } as const
  return client.resource(resourceOf(manifest)).apply(object, options)
}

const workers = { controller: 1, accounting: 1, restapi: 1, loginset: 1, token: 1, nodeset: 1, slurmclient: 1 }

const isOurs = ({ kind }: Manifest) => kind in kinds

/** Reasons for which a reader of the examples would blame the examples. */
const faults = [
  ...['WaitingForReference', 'InvalidSpec', 'ObjectInvalid', 'ObjectNotOurs', 'NameTaken', 'ImmutableField'],
  ...['ControllerNotFound', 'InputsUnreadable', 'HostnameTaken', 'ConflictingController', 'LeftOut'],
]

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
}

async function conditionsOf(manifest: Manifest, namespace: string): Promise<readonly Condition[]> {
  const { name = '' } = manifest.metadata
  const live = (await client.resource(resourceOf(manifest)).get({ namespace, name })) as {
    readonly status?: JsonObject
  }
  return (live.status?.['conditions'] ?? []) as unknown as Condition[]
}

describe('people who copy from the docs meet that', () => {
  test.each(examples)('%s is refused, or has a field that does nothing', async (file, manifests) => {
    const namespace = await createNamespace(client, file.replaceAll(/[/.]/g, '-'))
    for (const manifest of manifests) await apply(manifest, namespace, true)
    const ours = manifests.filter(isOurs)
    const problems = ours.flatMap((one) => findProblems(one.kind as OurKind, one as unknown as JsonObject))
    expect(problems.map(printProblem)).toEqual([])
  })

  test.each(shown)('a manifest in %s is refused', async (_place, text) => {
    for (const manifest of readManifests(text)) await apply(manifest, 'default', true)
  })

  test('the examples together are something that the operator cannot carry out', async () => {
    const namespace = await createNamespace(client, 'together')
    const manifests = examples.flatMap(([, all]) => all)
    for (const manifest of manifests) await apply(manifest, namespace)
    await using _operator = await runOperator(server.kubeconfig, (world) =>
      createLoops(world, workers, createMetrics()),
    )
    for (const manifest of manifests.filter(isOurs)) {
      const { name } = manifest.metadata
      await eventually(`${manifest.kind} ${name} without a fault`, async () => {
        const conditions = await conditionsOf(manifest, namespace)
        const ready = conditions.find(({ type }) => type === 'Ready')
        return ready && !conditions.some(({ reason }) => faults.includes(reason)) ? true : undefined
      })
    }
  })

  test('the content of a Secret that nobody refers to is held in memory', async () => {
    const namespace = await createNamespace(client, 'private')
    const text = 'nobody needs to know this'
    await apply(
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'diary' }, stringData: { text } } as Manifest,
      namespace,
    )
    await using operator = await runOperator(server.kubeconfig, (world) => createLoops(world, workers, createMetrics()))
    const { secretNames } = operator.world.caches
    const seen = await eventually('the Secret', () => secretNames.get({ namespace, name: 'diary' }))
    expect(JSON.stringify(seen)).toContain('diary')
    expect(JSON.stringify(secretNames.list())).not.toContain(Buffer.from(text).toString('base64'))
  })
})
