/**
 * Test data: objects that every rule accepts, and a world for them.
 *
 * @module
 */
import { systemClock, type JsonObject } from '@slurm-operator/kube'
import { silentLogger, type ReviewRequest } from '@slurm-operator/runtime'
import type { NodeSet } from '@slurm-operator/api'
import { buildHooks } from './hooks.ts'
import type { Reading } from './reading.ts'
import type { Marks, ReferenceReader } from './reference-reader.ts'

/** The six kinds that are validated. */
export type ValidatedKind = 'Controller' | 'Accounting' | 'RestApi' | 'LoginSet' | 'NodeSet' | 'Token'

const keys = { slurmKeyRef: { name: 'slurm', key: 'slurm.key' }, jwtKeyRef: { name: 'jwt', key: 'jwt.key' } }

/** The least that is valid, by kind. */
const leastSpecs: Readonly<Record<ValidatedKind, JsonObject>> = {
  Controller: keys,
  Accounting: { ...keys, storageConfig: { host: 'mariadb', passwordKeyRef: { name: 'db', key: 'password' } } },
  RestApi: { controllerRef: { name: 'slurm' } },
  LoginSet: { controllerRef: { name: 'slurm' }, sssdConfRef: { name: 'sssd', key: 'sssd.conf' } },
  NodeSet: { controllerRef: { name: 'slurm' } },
  Token: { jwtKeyRef: { name: 'jwt', key: 'jwt.key' }, username: 'slurm' },
}

/** A valid object with some fields of its spec replaced. */
export function objectOf(kind: ValidatedKind, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'slinky.slurm.net/v1beta1',
    kind,
    metadata: { name: 'one', namespace: 'slurm', ...metadata },
    spec: { ...leastSpecs[kind], ...spec },
  }
}

/** A request about it. */
export function requestOf(request: Partial<ReviewRequest>): ReviewRequest {
  return {
    uid: 'u-1',
    kind: { group: 'slinky.slurm.net', version: 'v1beta1', kind: 'Thing' },
    resource: { group: 'slinky.slurm.net', version: 'v1beta1', resource: 'things' },
    name: 'one',
    namespace: 'slurm',
    operation: request.oldObject === undefined ? 'CREATE' : 'UPDATE',
    userInfo: { username: 'alice' },
    dryRun: false,
    ...request,
  }
}

/** What a reader of a test finds; what is not told is absent. */
export interface Findings {
  readonly configMaps?: Readonly<Record<string, readonly string[] | Error>>
  readonly claims?: Readonly<Record<string, readonly string[] | Error>>
  readonly nodeSets?: readonly JsonObject[] | Error
  readonly pods?: Readonly<Record<string, Partial<Marks> | Error>>
  readonly kubeNodes?: Readonly<Record<string, Partial<Marks> | Error>>
}

/** A reader that finds this. */
export function readerOf({ configMaps, claims, nodeSets = [], pods, kubeNodes }: Findings = {}): ReferenceReader {
  const marks = (found: Partial<Marks> | Error | undefined) =>
    found instanceof Error || found === undefined ? found : { labels: {}, annotations: {}, ...found }
  return {
    configMapKeys: async ({ name }) => readingOf(configMaps?.[name]),
    claimAccessModes: async ({ name }) => readingOf(claims?.[name]),
    nodeSets: async () => readingOf(nodeSets as unknown as readonly NodeSet[] | Error),
    podMarks: async ({ name }) => readingOf(marks(pods?.[name])),
    kubeNodeMarks: async (name) => readingOf(marks(kubeNodes?.[name])),
  }
}

function readingOf<T>(found: T | Error | undefined): Reading<T> {
  if (found === undefined) return { kind: 'absent' }
  return found instanceof Error ? { kind: 'unknown', because: found.message } : { kind: 'seen', value: found }
}

/** One case of a rule. */
export interface Row {
  /** The accident. */
  readonly name: string
  readonly spec?: JsonObject
  readonly metadata?: JsonObject
  /** The spec that is stored; the object is new without one. */
  readonly before?: JsonObject
  readonly world?: Findings
  /** Beginnings of what is said, one each. */
  readonly errors?: readonly string[]
  readonly warnings?: readonly string[]
}

/** Judge a request at the path of a kind. */
export async function judgeAt(kind: ValidatedKind, request: ReviewRequest, world: Findings = {}) {
  const hooks = buildHooks({ reader: readerOf(world), clock: systemClock, log: silentLogger })
  const hook = hooks.find(({ path }) => path.endsWith(`-${kind.toLowerCase()}`))
  const verdict = await hook?.judge(request, AbortSignal.timeout(1000))
  return {
    allowed: verdict?.allowed,
    errors: verdict?.allowed === false ? verdict.because.split('; ') : [],
    warnings: verdict?.warnings ?? [],
  }
}

/** What was said, cut to the length of what was expected, so that a difference can be read. */
export function beginnings(said: readonly string[], expected: readonly string[]): string[] {
  return said.map((text, index) => text.slice(0, expected[index]?.length ?? text.length))
}
