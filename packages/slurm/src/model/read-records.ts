import { readBounded, finiteOf } from '../values/no-value.ts'
import { describe, FieldError, isObject } from './fields.ts'
import type { Records, Single, Unreadable } from './records.ts'

/** How a record is called, to name it when it cannot be read. A job has a name as well, which says nothing. */
const NAMES = ['job_id', 'name', 'hostname'] as const

/** Read a list out of an answer: each record alone, so that a bad one costs only itself. Never throws. */
export function readRecords<T>(answer: unknown, key: string, read: (raw: unknown) => T): Records<T> {
  const list = isObject(answer) ? answer[key] : undefined
  const lastUpdateInSeconds = isObject(answer) ? readLastUpdate(answer['last_update']) : undefined
  if (list === undefined) return { listed: false, records: [], unreadable: [], lastUpdateInSeconds }
  if (!Array.isArray(list)) return { ...unreadableList(key, list), lastUpdateInSeconds }

  const records: T[] = []
  const unreadable: Unreadable[] = []
  for (const [index, raw] of list.entries()) {
    const reading = attempt(() => read(raw))
    if (reading.kind === 'read') records.push(Object.freeze(reading.value))
    else unreadable.push({ index, name: nameOf(raw), because: reading.because, ...nodesOf(raw) })
  }
  return { listed: true, records, unreadable, lastUpdateInSeconds }
}

/** Read the one record of an answer. Never throws. */
export function readSingle<T>(answer: unknown, key: string, read: (raw: unknown) => T): Single<T> {
  if (!isObject(answer)) return { kind: 'unreadable', because: `the answer is ${describe(answer)}, not an object` }
  if (answer[key] === undefined) return { kind: 'unreadable', because: `the answer has no ${key}` }
  return attempt(() => read(answer[key]))
}

/** Read something that may turn out unreadable; only that is caught, a bug of ours still shows. */
export function attempt<T>(read: () => T): Single<T> {
  try {
    return { kind: 'read', value: read() }
  } catch (error) {
    if (error instanceof FieldError) return { kind: 'unreadable', because: error.message }
    throw error
  }
}

/** Not listed either: nothing may be concluded from it. */
function unreadableList(key: string, list: unknown): Omit<Records<never>, 'lastUpdateInSeconds'> {
  const because = `${key} is ${describe(list)}, not a list`
  return { listed: false, records: [], unreadable: [{ index: 0, name: undefined, because }] }
}

/** Zero is Slurm's word for "nothing changed": the caller keeps the value it has. */
function readLastUpdate(raw: unknown): number | undefined {
  const seconds = finiteOf(readBounded(raw, 64))
  return seconds === undefined || seconds <= 0 ? undefined : seconds
}

function nodesOf(raw: unknown): Pick<Unreadable, 'nodes'> {
  const nodes = isObject(raw) ? raw['nodes'] : undefined
  return typeof nodes === 'string' ? { nodes } : {}
}

function nameOf(raw: unknown): string | undefined {
  if (!isObject(raw)) return undefined
  for (const field of NAMES) {
    const name = raw[field]
    if (typeof name === 'string' && name !== '') return name
    if (typeof name === 'number' || typeof name === 'bigint') return String(name)
  }
  return undefined
}
