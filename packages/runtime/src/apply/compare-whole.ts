import {
  isJsonList,
  isJsonObject,
  ownEntries,
  ownKeys,
  ownValue,
  type FieldNames,
  type JsonObject,
  type JsonValue,
} from '@slurm-operator/kube'
import { isBuiltIn } from './built-in.ts'
import { equalScalars } from './scalar-forms.ts'
import { isServerDefault, isStoredAsNothing } from './server-defaults.ts'

/** Where in an object of which kind. */
export interface Spot {
  /** Such as `apps/v1 StatefulSet`. */
  readonly type: string
  readonly at: FieldNames
}

/**
 * Whether a value that is owned as one is stored as we want it. Nobody but us and the server has a say in it, so
 * everything counts, except what the server is known to add or to leave out.
 */
export function equalWholes(wanted: JsonValue, live: JsonValue, spot: Spot): boolean {
  if (isJsonList(wanted)) return isJsonList(live) && equalLists(wanted, live, spot)
  if (isJsonObject(wanted)) return isJsonObject(live) && equalObjects(wanted, live, spot)
  if (wanted === null || live === null || typeof live === 'object') return wanted === live
  return equalScalars(wanted, live, spot.at, spot.type)
}

function equalLists(wanted: readonly JsonValue[], live: readonly JsonValue[], spot: Spot): boolean {
  return wanted.length === live.length && wanted.every((item, index) => equalWholes(item, live[index] ?? null, spot))
}

function equalObjects(wanted: JsonObject, live: JsonObject, { type, at }: Spot): boolean {
  const isAsWanted = ownEntries(wanted).every(([name, value]) => {
    const stored = ownValue(live, name)
    if (stored === undefined) return isBuiltIn(type) && isStoredAsNothing(name, value)
    return equalWholes(value, stored, { type, at: [...at, name] })
  })
  return isAsWanted && ownKeys(live).every((name) => isExpected(name, { wanted, live }, { type, at }))
}

function isExpected(
  name: string,
  { wanted, live }: Readonly<Record<'wanted' | 'live', JsonObject>>,
  { type, at }: Spot,
): boolean {
  if (ownValue(wanted, name) !== undefined) return true
  return isBuiltIn(type) && isServerDefault([...at, name], ownValue(live, name) ?? null)
}
