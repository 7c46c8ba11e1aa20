/** Objects that the reference was recorded with must be accepted, or refused for a reason that somebody wrote down. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { judgeAt, objectOf, requestOf, type ValidatedKind } from './gen.ts'

const CASES = join(import.meta.dirname, '../../../../../shared/compat/cases')
const missing = !existsSync(CASES)

/** What we refuse although the reference, without its own webhook, took it. */
const refusedOnPurpose: Readonly<Record<string, string>> = {
  'accounting-no-storage': 'slurmdbd cannot start without a database',
  'controller-wrong-type': 'one wrong type stopped the reference for every namespace',
  'controller-servicemonitor-without-metrics': 'its cluster name is too long, for the webhook of the reference as well',
  'nodeset-claims-retained-on-deletion': 'its cluster name is too long, for the webhook of the reference as well',
  'schema-defaults': 'it names no Controller, which the webhook of the reference refuses as well',
  'restapi-negative': 'a Deployment with fewer than no replicas is refused by Kubernetes',
}

interface Applied {
  readonly kind: ValidatedKind
  readonly object: JsonObject & { readonly metadata: { readonly name: string } }
}

function readInput(name: string): Applied[] {
  const text = readFileSync(join(CASES, name, 'input.yaml'), 'utf8')
  return parseAllDocuments(text)
    .map(
      (document) =>
        document.toJS() as Applied['object'] & { readonly kind: ValidatedKind; readonly apiVersion: string },
    )
    .filter(({ apiVersion, kind }) => apiVersion.startsWith('slinky.slurm.net/') && kind !== undefined)
    .map((object) => ({ kind: object.kind, object: { ...object, metadata: { namespace: name, ...object.metadata } } }))
}

async function refusalsOf(name: string): Promise<string[]> {
  const world = { configMaps: {}, nodeSets: [] }
  const all = await Promise.all(
    readInput(name).map(async ({ kind, object }) => (await judgeAt(kind, requestOf({ object }), world)).errors),
  )
  return all.flat()
}

describe('a change from the reference prevents that', () => {
  test('an object that ran there is refused here', async ({ skip }) => {
    skip(missing, 'the recordings of the reference are not beside the clone, in ../shared')
    const refused: Record<string, string[]> = {}
    for (const name of readdirSync(CASES).filter((one) => one !== 'schema-refusals')) {
      const refusals = await refusalsOf(name)
      if (refusals.length > 0) refused[name] = refusals
    }
    expect(Object.keys(refused).toSorted(), JSON.stringify(refused, null, 2)).toEqual(
      Object.keys(refusedOnPurpose).toSorted(),
    )
  })

  test('the least object of each kind is refused', async () => {
    for (const kind of ['Controller', 'Accounting', 'RestApi', 'LoginSet', 'NodeSet', 'Token'] as const)
      expect(await judgeAt(kind, requestOf({ object: objectOf(kind) }))).toEqual({
        allowed: true,
        errors: [],
        warnings: [],
      })
  })
})
