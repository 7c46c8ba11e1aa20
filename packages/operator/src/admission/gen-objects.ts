/**
 * Test data: objects that a careful person would write.
 *
 * @module
 */
import type { JsonObject } from '@slurm-operator/kube'
import fc from 'fast-check'
import { objectOf, type ValidatedKind } from './gen.ts'

/** A short name. */
export const word = fc.stringMatching(/^[a-z]([a-z0-9-]{0,18}[a-z0-9])?$/)
const key = fc.record({ name: word, key: word })
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const some = <T>(fields: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) => fc.record(fields, { requiredKeys: [] })
const port = fc.integer({ min: 0, max: 65_535 })
const service = fc.record({ port: maybe(port), nodePort: maybe(port) })
const minutes = fc.integer({ min: 1, max: 10_000 }).map((count) => `${count}m`)

/** Specs; what is left out has a default. */
export const validSpecs: Readonly<Record<ValidatedKind, fc.Arbitrary<object>>> = {
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

/** The kinds. */
export const kinds = Object.keys(validSpecs) as ValidatedKind[]

/** Whole objects. */
export const validObject = fc
  .constantFrom(...kinds)
  .chain((kind) =>
    fc
      .record({ kind: fc.constant(kind), name: word, spec: validSpecs[kind] })
      .map(({ name, spec }) => ({ kind, object: objectOf(kind, spec as JsonObject, { name }) })),
  )
