import { asSlurmError, isSlurmFailure, type SlurmError } from '../errors.ts'

/** What became of each of many. Nothing is thrown: one bad name must not hide the fate of the others. */
export interface BatchResult {
  readonly done: readonly string[]
  /** Slurm has no such record. */
  readonly missing: readonly string[]
  readonly failed: readonly { readonly name: string; readonly error: SlurmError }[]
}

const AT_ONCE = 8

/** How to do something to many, or to one. */
export interface BatchWork {
  readonly names: readonly string[]
  /** So many names fit into one request. */
  readonly perRequest: number
  /** For errors. */
  readonly request: string
  /** Both throw `SlurmError`. */
  readonly many: (names: readonly string[]) => Promise<void>
  readonly one: (name: string) => Promise<void>
}

/**
 * Do it in as few requests as possible. If Slurm refuses a group, it does not say for which of them, and may have done
 * some already: then each is tried alone. If Slurm is silent, the rest is left for later.
 */
export async function inBatches(work: BatchWork): Promise<BatchResult> {
  const results: BatchResult[] = []
  for (const group of groupsOf(work.names, work.perRequest)) {
    const silence = results.flatMap(({ failed }) => failed).find(({ error }) => error.failure === 'unavailable')
    results.push(silence ? failedFor(group, silence.error) : await doGroup(group, work))
  }
  return merge(results)
}

async function doGroup(names: readonly string[], work: BatchWork): Promise<BatchResult> {
  if (names.length === 1) return doEach(names, work)
  try {
    await work.many(names)
    return { done: names, missing: [], failed: [] }
  } catch (error) {
    if (isSlurmFailure(error, 'not-found', 'refused')) return doEach(names, work)
    return failedFor(names, asSlurmError(error, work.request))
  }
}

async function doEach(names: readonly string[], { one, request }: BatchWork): Promise<BatchResult> {
  const results: BatchResult[] = []
  for (const group of groupsOf(names, AT_ONCE)) {
    results.push(...(await Promise.all(group.map((name) => doOne(name, one, request)))))
  }
  return merge(results)
}

async function doOne(name: string, one: BatchWork['one'], request: string): Promise<BatchResult> {
  try {
    await one(name)
    return { done: [name], missing: [], failed: [] }
  } catch (error) {
    if (isSlurmFailure(error, 'not-found')) return { done: [], missing: [name], failed: [] }
    return failedFor([name], asSlurmError(error, request))
  }
}

function failedFor(names: readonly string[], error: SlurmError): BatchResult {
  return { done: [], missing: [], failed: names.map((name) => ({ name, error })) }
}

function merge(results: readonly BatchResult[]): BatchResult {
  return {
    done: results.flatMap(({ done }) => done),
    missing: results.flatMap(({ missing }) => missing),
    failed: results.flatMap(({ failed }) => failed),
  }
}

function groupsOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}
