import { isAbsolute, resolve } from 'node:path'
import { parse, YAMLError } from 'yaml'
import { misconfigured } from './misconfigured.ts'

/** One map of a kubeconfig, as it was written. */
export type Fields = Readonly<Record<string, unknown>>

/** A kubeconfig with its parts by name; all paths in it are absolute. */
export interface KubeconfigDocument {
  readonly clusters: ReadonlyMap<string, Fields>
  readonly users: ReadonlyMap<string, Fields>
  readonly contexts: ReadonlyMap<string, Fields>
  readonly currentContext?: string
}

/** Fields that hold a path, relative to the file they are in. */
const pathFields = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile']

/**
 * Read the text of a kubeconfig.
 *
 * @param file its name, for errors
 * @param folder what relative paths in it start from
 */
export function parseKubeconfig(text: string, file: string, folder: string): KubeconfigDocument {
  const root = parseYaml(text, file)
  const named = (list: string, entry: string) =>
    new Map(entriesOf(root, list, file).map((one) => [textAt(one, 'name'), withPaths(mapAt(one, entry), folder)]))
  const current = textAt(root, 'current-context')
  return {
    clusters: named('clusters', 'cluster'),
    users: named('users', 'user'),
    contexts: named('contexts', 'context'),
    ...(current !== '' && { currentContext: current }),
  }
}

/** Put several together as kubectl does: what an earlier one says about a name stays. */
export function mergeKubeconfigs(documents: readonly KubeconfigDocument[]): KubeconfigDocument {
  const lastFirst = documents.toReversed()
  const current = documents.find((one) => one.currentContext !== undefined)?.currentContext
  const merged = (part: 'clusters' | 'users' | 'contexts') => new Map(lastFirst.flatMap((one) => [...one[part]]))
  return {
    clusters: merged('clusters'),
    users: merged('users'),
    contexts: merged('contexts'),
    ...(current !== undefined && { currentContext: current }),
  }
}

/** A text field; '' when it is not there. */
export function textAt(fields: Fields, key: string): string {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** A map inside; empty when it is not there. */
export function mapAt(fields: Fields, key: string): Fields {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined
  return isMap(value) ? value : {}
}

/** A list inside; empty when it is not there. */
export function listAt(fields: Fields, key: string): readonly unknown[] {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined
  return Array.isArray(value) ? value : []
}

/** Tell maps from everything else. */
export function isMap(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseYaml(text: string, file: string): Fields {
  try {
    const root: unknown = parse(text, { prettyErrors: false, logLevel: 'error' }) ?? {}
    if (isMap(root)) return root
  } catch (error) {
    // The parser quotes what it does not understand, and that may be a secret: only the place may be told.
    const place = error instanceof YAMLError ? ` near character ${error.pos[0]}` : ''
    throw misconfigured(`read kubeconfig ${file}`, `it is not YAML${place}`)
  }
  throw misconfigured(`read kubeconfig ${file}`, 'it is YAML, but not a map')
}

function entriesOf(root: Fields, list: string, file: string): Fields[] {
  const value = root[list] ?? []
  const isFine = Array.isArray(value) && value.every((entry) => isMap(entry) && textAt(entry, 'name') !== '')
  if (!isFine) throw misconfigured(`read kubeconfig ${file}`, `"${list}" must be a list of entries with a name`)
  return value as Fields[]
}

function withPaths(fields: Fields, folder: string): Fields {
  const changed = pathFields.flatMap((key) => {
    const path = textAt(fields, key)
    return path === '' ? [] : [[key, resolve(folder, path)] as const]
  })
  return { ...fields, ...Object.fromEntries(changed), ...withCommandPath(fields, folder) }
}

/** A plugin named with a slash is relative to the file; one without is looked up in PATH. */
function withCommandPath(fields: Fields, folder: string): Fields {
  if (!Object.hasOwn(fields, 'exec')) return {}
  const exec = mapAt(fields, 'exec')
  const command = textAt(exec, 'command')
  if (!command.includes('/') || isAbsolute(command)) return {}
  return { exec: { ...exec, command: resolve(folder, command) } }
}
