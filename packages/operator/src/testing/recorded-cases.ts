/**
 * What the reference made of the recorded inputs, for comparison with what our builders make of them. The data lie beside
 * the clone; where they do not, tests that need them say so.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs'
import { isJsonList, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '@slurm-operator/kube'
import { parseAllDocuments } from 'yaml'

const CASES = new URL('../../../../../shared/compat/cases/', import.meta.url)

/** Whether the recordings are there. */
export const hasRecordings: boolean = existsSync(CASES)

/** Why tests are skipped. */
export const RECORDINGS_WANTED = 'needs the recordings in ../shared/compat'

/** One recorded case. */
export interface RecordedCase {
  readonly input: readonly KubeObject[]
  readonly expected: readonly KubeObject[]
}

/** Read a case; its namespace is called like it. */
export function readCase(name: string, expected = 'expected.yaml'): RecordedCase {
  return { input: readDocuments(`${name}/input.yaml`), expected: readDocuments(`${name}/${expected}`) }
}

function readDocuments(path: string): KubeObject[] {
  const text = readFileSync(new URL(path, CASES), 'utf8')
  return parseAllDocuments(text).map((document) => document.toJS() as KubeObject)
}

/** Filled in by the server, or noted only where somebody decided otherwise. */
const serverDefaults: readonly RegExp[] = [
  /\.(terminationMessagePath|imagePullPolicy|dnsPolicy|schedulerName|terminationGracePeriodSeconds)$/,
  /^spec\.template\.spec\.restartPolicy$/,
  /Probe\.(successThreshold|timeoutSeconds|periodSeconds|failureThreshold|httpGet\.scheme)$/,
  /^spec\.(persistentVolumeClaimRetentionPolicy|updateStrategy|podManagementPolicy)/,
  /^spec\.(clusterIPs?|internalTrafficPolicy|ipFamil|sessionAffinity|type|externalTrafficPolicy)/,
  /^spec\.volumeClaimTemplates.*\.(status|volumeMode)/,
  /\.resources$/,
  /^spec\.ports.*\.(nodePort|protocol)$/,
  /\.optional$/,
]

/** Differences between what we build and what was recorded, as `path: recorded -> ours`. */
export function compareWithRecorded(ours: KubeObject, recorded: KubeObject): string[] {
  const [mine, theirs] = [flatten(ours as unknown as JsonObject), flatten(recorded as unknown as JsonObject)]
  const paths = [...new Set([...mine.keys(), ...theirs.keys()])].sort()
  return paths.flatMap((path) => {
    const [is, was] = [mine.get(path), theirs.get(path)]
    if (is === was || (was === '"<script>"' && is !== undefined)) return []
    if (is === undefined && serverDefaults.some((pattern) => pattern.test(path))) return []
    return [`${path}: ${was ?? 'nothing'} -> ${is ?? 'nothing'}`]
  })
}

/** Every leaf by its path. Elements of lists are called by what tells them apart, so that their order is a leaf, too. */
function flatten(value: JsonValue, path = ''): Map<string, string> {
  if (isJsonList(value)) return flattenList(value, path)
  if (!isJsonObject(value)) return new Map([[path, JSON.stringify(value)]])
  const inner = Object.entries(value).filter(([key]) => !(path === 'metadata' && ignored.has(key)))
  if (inner.length === 0) return new Map([[path, '{}']])
  return new Map(inner.flatMap(([key, each]) => [...flatten(each as JsonValue, path === '' ? key : `${path}.${key}`)]))
}

const ignored = new Set(['namespace', 'uid', 'ownerReferences'])

function flattenList(list: readonly JsonValue[], path: string): Map<string, string> {
  const names = list.map((element, index) => nameOf(element) ?? String(index))
  const leaves = list.flatMap((element, index) => [...flatten(element, `${path}[${names[index] ?? ''}]`)])
  return new Map([[`${path}[order]`, names.join(' ')], ...leaves])
}

function nameOf(element: JsonValue): string | undefined {
  if (!isJsonObject(element)) return undefined
  const found = ['mountPath', 'name', 'containerPort', 'path', 'key'].map((key) => element[key]).find(Boolean)
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined
}

/** A difference that we want, and why. */
export interface Allowed {
  /** Cases; all if absent. */
  readonly cases?: readonly string[]
  /** Of the whole line `Kind path: recorded -> ours`. */
  readonly line: RegExp
  readonly reason: string
}

/** On every child of every case. */
const allowedEverywhere: readonly Allowed[] = [
  { line: /labels\.app\.kubernetes\.io\/(managed-by|part-of): /, reason: 'part-of and managed-by are set' },
  { line: /terminationMessagePolicy: "File" -> "FallbackToLogsOnError"/, reason: 'why a daemon ended is told' },
]

/** What is left of the differences of a case. */
export function withoutAllowed(name: string, lines: readonly string[], allowed: readonly Allowed[]): string[] {
  const here = [...allowedEverywhere, ...allowed].filter(({ cases }) => cases === undefined || cases.includes(name))
  return lines.filter((text) => !here.some(({ line }) => line.test(text)))
}

/** The text of a Secret, as recordings show it. */
export function decoded(child: KubeObject): KubeObject {
  const { data } = child as unknown as { readonly data?: Readonly<Record<string, string>> }
  if (child.kind !== 'Secret' || data === undefined) return child
  const texts = Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString('utf8')])
  const shown = { ...child, data: Object.fromEntries(texts) as Readonly<Record<string, string>> }
  return shown
}
