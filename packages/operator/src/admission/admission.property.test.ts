import type { JsonObject } from '@slurm-operator/kube'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeAt, objectOf, requestOf, type Findings, type ValidatedKind } from './gen.ts'

const word = fc.stringMatching(/^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/)
const key = fc.record({ name: word, key: word })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const some = <T>(fields: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) => fc.record(fields, { requiredKeys: [] })
const port = fc.integer({ min: 0, max: 65_535 })
const service = fc.record({ port: maybe(port), nodePort: maybe(port) })
const minutes = fc.integer({ min: 1, max: 10_000 }).map((count) => `${count}m`)
const file = fc.constantFrom('gres.conf', 'cgroup.conf', 'topology.yaml', 'job_submit.lua')
const known: Findings = { configMaps: { files: ['gres.conf'] }, claims: { state: ['ReadWriteMany'] } }

/** Specs that a careful person would write; what is left out has a default. */
const validSpecs: Readonly<Record<ValidatedKind, fc.Arbitrary<object>>> = {
  Controller: some({
    clusterName: fc.stringMatching(/^[a-zA-Z0-9_]{1,40}$/),
    slurmKeyRef: key,
    configFileRefs: fc.constantFrom(null, [], [{ name: 'files' }]),
    service,
    persistence: fc.constantFrom({ enabled: true }, { enabled: true, existingClaim: 'state' }),
    ha: fc.constant({ enabled: false }),
    inplaceReconfigure: fc.boolean(),
    extraConf: fc.string(),
  }),
  Accounting: some({ service, external: fc.constant(false), extraConf: fc.string() }),
  RestApi: some({ controllerRef: fc.record({ name: word }), replicas: fc.nat(100), service }),
  LoginSet: some({ replicas: fc.nat(100), rootSshAuthorizedKeys: fc.string(), service }),
  NodeSet: some({
    replicas: fc.nat(10_000),
    scalingMode: fc.constantFrom('StatefulSet', 'DaemonSet'),
    extraConf: fc.array(fc.stringMatching(/^[A-Za-z]{1,9}=[\w:,.*-]{1,9}$/)).map((pairs) => pairs.join(' ')),
    minReadySeconds: fc.nat(600),
    ordinalPadding: fc.nat(6),
    revisionHistoryLimit: fc.nat(10),
    template: fc.record({
      spec: some({ hostname: fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/), nodeSelector: fc.dictionary(word, word) }),
    }),
    updateStrategy: fc.oneof(
      fc.record({
        rollingUpdate: fc.record({
          maxUnavailable: fc.oneof(
            fc.integer({ min: 1, max: 99 }),
            fc.integer({ min: 1, max: 99 }).map((share) => `${share}%`),
          ),
        }),
      }),
      fc.record({ type: fc.constant('OnDelete') }),
      fc.record({
        type: fc.constant('ScheduledUpdate'),
        scheduledUpdate: fc.record({
          startTime: fc.constant('2030-01-01T00:00:00Z'),
          duration: minutes,
          flags: fc.constantFrom(null, ['DAILY'], ['force_start']),
        }),
      }),
    ),
    ssh: fc.constantFrom({ enabled: false }, { enabled: true, sssdConfRef: { name: 'sssd', key: 'sssd.conf' } }),
  }),
  Token: some({
    username: fc.string({ minLength: 1 }),
    lifetime: minutes,
    refresh: fc.boolean(),
    secretRef: fc.record({ name: word.map((name) => `token-${name}`), key: word }),
  }),
}

const kinds = Object.keys(validSpecs) as ValidatedKind[]
const validObject = fc
  .constantFrom(...kinds)
  .chain((kind) =>
    fc
      .record({ kind: fc.constant(kind), name: word, spec: validSpecs[kind] })
      .map(({ name, spec }) => ({ kind, object: objectOf(kind, spec as JsonObject, { name }) })),
  )

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
