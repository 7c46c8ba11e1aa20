/**
 * Strategic merge patches from documents: two-way from what is to what should be, three-way for somebody who owns only
 * part of an object and must leave the rest alone.
 *
 * @module
 */
import { equalJson } from '../json/equal-json.ts'
import { isJsonList, isJsonObject, ownKeys, ownValue, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { discardNulls, RETAIN_KEYS } from './directives.ts'
import { diffList } from './diff-list.ts'
import { findField, type FieldRule, type Place } from './find-field.ts'
import type { MergeSchema } from './merge-schema.ts'

/** The three documents of a three-way patch. */
export interface ThreeVersions {
  /** What we wanted last time: what is here and no longer in `modified` gets deleted. */
  readonly original: JsonObject
  /** What we want now. */
  readonly modified: JsonObject
  /** What is there, with what others have written. */
  readonly current: JsonObject
}

/** The patch that turns `original` into `modified`; empty if they are equal. */
export function createTwoWayPatch(
  original: JsonObject,
  modified: JsonObject,
  schema: MergeSchema,
  type: string,
): JsonObject {
  return diffMaps({ original, modified, current: original }, { schema, type })
}

/** The patch that brings our part of `current` to what we want; empty if it is so already. */
export function createThreeWayPatch(versions: ThreeVersions, schema: MergeSchema, type: string): JsonObject {
  return diffMaps(versions, { schema, type })
}

function diffMaps({ original, modified, current }: ThreeVersions, place: Place): JsonObject {
  const keys = new Set([...ownKeys(original), ...ownKeys(modified)])
  const entries = [...keys].flatMap((key) =>
    diffField(
      key,
      { original: ownValue(original, key), modified: ownValue(modified, key), current: ownValue(current, key) },
      findField(place, key),
    ),
  )
  return Object.fromEntries(entries)
}

interface FieldVersions {
  readonly original: JsonValue | undefined
  readonly modified: JsonValue | undefined
  readonly current: JsonValue | undefined
}

type Entry = readonly [string, JsonValue]

function diffField(key: string, { original, modified, current }: FieldVersions, rule: FieldRule): readonly Entry[] {
  if (modified === undefined || modified === null) return current === undefined ? [] : [[key, null]]
  if (current !== undefined && equalJson(current, modified)) return []
  if (isJsonObject(modified) && isJsonObject(current) && rule.strategy !== 'replace') {
    const versions = { original: isJsonObject(original) ? original : {}, modified, current }
    return asEntry(key, diffTypedMaps(versions, rule))
  }
  if (isJsonList(modified) && isJsonList(current) && rule.strategy === 'merge') {
    const versions = { original: isJsonList(original) ? original : [], modified, current }
    return diffList(key, versions, rule.mergeKey, (inner) => diffTypedMaps(inner, rule))
  }
  return [[key, discardNulls(modified)]]
}

/** Of maps that hold one of several members, the server must forget the other members, also those it set itself. */
function diffTypedMaps(versions: ThreeVersions, rule: FieldRule): JsonObject {
  const diff = diffMaps(versions, rule.inside)
  const retained = ownKeys(versions.modified).sort()
  if (!rule.retainKeys || retained.length === 0) return diff
  const isClean = ownKeys(versions.current).every((key) => retained.includes(key))
  return isClean && ownKeys(diff).length === 0 ? diff : { [RETAIN_KEYS]: retained, ...diff }
}

function asEntry(key: string, diff: JsonObject): readonly Entry[] {
  return ownKeys(diff).length === 0 ? [] : [[key, diff]]
}
