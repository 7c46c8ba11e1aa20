import fc from 'fast-check'
import type { JsonObject } from '@slurm-operator/kube'
import { expect, test } from 'vitest'
import { kinds, validObject, validSpecs, word } from './gen-objects.ts'
import { judgeAt, objectOf, requestOf, type Findings } from './gen.ts'

const file = fc.constantFrom('gres.conf', 'cgroup.conf', 'topology.yaml', 'job_submit.lua')
const known: Findings = { configMaps: { files: ['gres.conf'] }, claims: { state: ['ReadWriteMany'] } }

const twoSpecs = fc
  .constantFrom(...kinds)
  .chain((kind) => fc.record({ kind: fc.constant(kind), was: validSpecs[kind], is: validSpecs[kind] }))

/** Any JSON at all, of the kind that hurts. */
const hostileSpec = fc.dictionary(
  fc.oneof(
    fc.constantFrom(
      'replicas',
      'template',
      'slurmd',
      'service',
      'configFileRefs',
      'extraConf',
      'updateStrategy',
      'volumeClaimTemplates',
      'controllerRef',
      '__proto__',
      'persistence',
      'ha',
      'ssh',
      'lifetime',
    ),
    fc.string(),
  ),
  fc.jsonValue(),
)

test('an object that is as it should be is refused', () =>
  fc.assert(
    fc.asyncProperty(validObject, async ({ kind, object }) => {
      expect((await judgeAt(kind, requestOf({ object }), known)).errors).toEqual([])
    }),
    { numRuns: 500 },
  ))

test('an update between two valid objects is refused for anything but what cannot change', () =>
  fc.assert(
    fc.asyncProperty(twoSpecs, async ({ kind, was, is }) => {
      const [before, after] = [objectOf(kind, was as JsonObject), objectOf(kind, is as JsonObject)]
      const { errors } = await judgeAt(kind, requestOf({ object: after, oldObject: before }), known)
      expect(errors.filter((text) => !text.includes('cannot be changed'))).toEqual([])
    }),
  ))

test('what was stored once, however wrong, cannot be touched any more', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...kinds), hostileSpec, word, async (kind, hostile, name) => {
      const before = objectOf(kind, hostile)
      const after = objectOf(kind, { ...hostile, added: name })
      const { errors } = await judgeAt(kind, requestOf({ object: after, oldObject: before }), known).catch(thrown)
      expect(errors.filter((text) => !text.includes('added'))).toEqual([])
    }),
    { numRuns: 300 },
  ))

test('some JSON stops the webhook', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom(...kinds), hostileSpec, async (kind, hostile) => {
      await judgeAt(kind, requestOf({ object: objectOf(kind, hostile) }), { configMaps: { a: [] } })
    }),
    { numRuns: 1000 },
  ))

test('a file that Slurm knows is warned about', () =>
  fc.assert(
    fc.asyncProperty(fc.array(file), async (files) => {
      const object = objectOf('Controller', { configFileRefs: [{ name: 'files' }] })
      expect(await judgeAt('Controller', requestOf({ object }), { configMaps: { files } })).toMatchObject({
        warnings: [],
      })
    }),
  ))

function thrown(error: unknown) {
  return { errors: [String(error)] }
}
