import { findProblems, kinds, printProblem, resourceOf, type OurKind } from '@slurm-operator/api'
import { defineResource, type JsonObject, type Resource } from '@slurm-operator/kube'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allLoops, startBed, type Bed } from '../testing/bed.ts'
import { createNamespace, eventually } from '../testing/gen.ts'
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

let bed: Bed

beforeAll(async () => {
  bed = await startBed()
})
afterAll(async () => {
  await bed?.[Symbol.asyncDispose]()
})

function resourceFor({ kind }: Manifest): Resource<Manifest> {
  const plural = core[kind]
  if (plural !== undefined) return defineResource({ group: '', version: 'v1', plural, kind, namespaced: true })
  return resourceOf<Manifest>(kinds[kind as OurKind])
}

function apply(manifest: Manifest, namespace: string, dryRun = false): Promise<Manifest> {
  const object = { ...manifest, metadata: { ...manifest.metadata, namespace } }
  const options = { fieldManager: 'test', fieldValidation: 'Strict', force: true, dryRun } as const
  return bed.client.resource(resourceFor(manifest)).apply(object, options)
}

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
  const live = (await bed.client.resource(resourceFor(manifest)).get({ namespace, name })) as {
    readonly status?: JsonObject
  }
  return (live.status?.['conditions'] ?? []) as unknown as Condition[]
}

describe('people who copy from the docs meet that', () => {
  test.each(examples)('%s is refused, or has a field that does nothing', async (file, manifests) => {
    const namespace = await createNamespace(bed.client, file.replaceAll(/[/.]/g, '-'))
    for (const manifest of manifests) await apply(manifest, namespace, true)
    const ours = manifests.filter(isOurs)
    const problems = ours.flatMap((one) => findProblems(one.kind as OurKind, one as unknown as JsonObject))
    expect(problems.map(printProblem)).toEqual([])
  })

  test.each(shown)('a manifest in %s is refused', async (_place, text) => {
    for (const manifest of readManifests(text)) await apply(manifest, 'default', true)
  })

  test('the examples together are something that the operator cannot carry out', async () => {
    const namespace = await createNamespace(bed.client, 'together')
    const manifests = examples.flatMap(([, all]) => all)
    for (const manifest of manifests) await apply(manifest, namespace)
    await using _operator = await bed.run(allLoops)
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
    const namespace = await createNamespace(bed.client, 'private')
    const text = 'nobody needs to know this'
    await apply(
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'diary' }, stringData: { text } } as Manifest,
      namespace,
    )
    await using operator = await bed.run(allLoops)
    const { secretNames } = operator.world.caches
    const seen = await eventually('the Secret', () => secretNames.get({ namespace, name: 'diary' }))
    expect(JSON.stringify(seen)).toContain('diary')
    expect(JSON.stringify(secretNames.list())).not.toContain(Buffer.from(text).toString('base64'))
  })
})
