import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { equalJson } from '../json/equal-json.ts'
import { isJsonList, isJsonObject, ownEntries, ownValue, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { applyStrategicMerge } from './apply-strategic-merge.ts'
import { createThreeWayPatch, createTwoWayPatch } from './create-strategic-patch.ts'
import { anyDeployment, anyPatchOf, anyPod, DEPLOYMENT, POD, podSchema } from './gen.ts'
import { StrategicMergeError } from './directives.ts'

const kinds = [
  { type: POD, any: anyPod },
  { type: DEPLOYMENT, any: anyDeployment },
]

describe.each(kinds)('$type', ({ type, any }) => {
  test('a two-way patch turns one document into the other', () => {
    fc.assert(
      fc.property(any, any, (original, modified) => {
        const patch = createTwoWayPatch(original, modified, podSchema, type)
        expect(equalJson(applyStrategicMerge(original, patch, podSchema, type), modified)).toBe(true)
      }),
    )
  })

  test('a patch between equal documents is empty', () => {
    fc.assert(
      fc.property(any, (document) => {
        expect(createTwoWayPatch(document, structuredClone(document), podSchema, type)).toEqual({})
      }),
    )
  })

  test('after a three-way patch all we want is there, and a second one is empty', () => {
    fc.assert(
      fc.property(any, any, any, (original, modified, current) => {
        const patch = createThreeWayPatch({ original, modified, current }, podSchema, type)
        const after = applyStrategicMerge(current, patch, podSchema, type)
        expect(whatIsMissing(modified, after, 'document')).toEqual([])
        expect(createThreeWayPatch({ original: modified, modified, current: after }, podSchema, type)).toEqual({})
      }),
    )
  })

  test('an empty patch changes nothing', () => {
    fc.assert(
      fc.property(any, (document) => {
        expect(applyStrategicMerge(document, {}, podSchema, type)).toEqual(document)
      }),
    )
  })

  test('no patch leaves a directive behind, or fails with anything but a reason', () => {
    fc.assert(
      fc.property(any, anyPatchOf(any), (document, patch) => {
        const after = applyOrRefuse(document, patch, type)
        expect(JSON.stringify(after)).not.toContain('"$')
      }),
    )
  })
})

function applyOrRefuse(document: JsonObject, patch: JsonObject, type: string): JsonObject {
  try {
    return applyStrategicMerge(document, patch, podSchema, type)
  } catch (error) {
    if (error instanceof StrategicMergeError) return {}
    throw error
  }
}

const MERGE_KEYS = ['uid', 'containerPort', 'mountPath', 'ip', 'name']
const REPLACED = ['command', 'tolerations', 'hostnames', 'add']

/** Said in raw facts: every wanted scalar is there, and every wanted element is found by its key. */
function whatIsMissing(wanted: JsonValue, actual: JsonValue | undefined, path: string): string[] {
  if (isJsonObject(wanted)) {
    return ownEntries(wanted).flatMap(([key, inner]) => {
      const found = isJsonObject(actual) ? ownValue(actual, key) : undefined
      if (REPLACED.includes(key)) return equalJson(inner, found) ? [] : [`${path}.${key}`]
      return whatIsMissing(inner, found, `${path}.${key}`)
    })
  }
  if (!isJsonList(wanted)) return equalJson(wanted, actual) ? [] : [path]
  if (!isJsonList(actual)) return [path]
  return wanted.flatMap((element, index) => whatIsMissing(element, findPartner(element, actual), `${path}[${index}]`))
}

function findPartner(element: JsonValue, list: readonly JsonValue[]): JsonValue | undefined {
  if (!isJsonObject(element)) return list.find((other) => other === element)
  const key = MERGE_KEYS.find((name) => ownValue(element, name) !== undefined) ?? ''
  return list.find((other) => isJsonObject(other) && ownValue(other, key) === ownValue(element, key))
}
