/** Test data of this room: an object of some kind, and what somebody makes of it later. */
import fc from 'fast-check'
import { apiVersionOf, isJsonObject, type JsonObject, type JsonValue, type KubeObject } from '@slurm-operator/kube'
import { anyMetadata, owner, type AnyKind } from './gen.ts'
import { normalizeWanted } from './normalize-wanted.ts'

export interface History {
  readonly before: KubeObject
  readonly after: KubeObject
}

/** The same histories for the same seed. Half of the changes are small, so that most comparisons end deep inside. */
export function historiesOf({ resource, content }: AnyKind, howMany: number, seed: number): History[] {
  const whole = fc.tuple(content, anyMetadata)
  const any = fc.tuple(whole, whole, fc.boolean(), fc.array(fc.nat(), { minLength: 12, maxLength: 12 }))
  return fc.sample(any, { numRuns: howMany, seed }).map(([one, other, isSmall, choices], index) => {
    const build = ([rest, metadata]: readonly [JsonObject, JsonObject]): KubeObject => ({
      apiVersion: apiVersionOf(resource),
      kind: resource.kind,
      ...rest,
      metadata: { ...metadata, name: `o-${index}` },
    })
    const before = normalizeWanted(build(one), owner)
    const after = normalizeWanted(build(other), owner)
    return { before, after: isSmall ? (swap(asJson(before), asJson(after), choices) as unknown as KubeObject) : after }
  })
}

const fixed: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'name', 'namespace', 'selector', 'ownerReferences'])

/** The first with one part of the second: a field, or everything below it. */
function swap(
  mine: JsonValue | undefined,
  theirs: JsonValue | undefined,
  [choice = 0, ...rest]: readonly number[],
): JsonValue | undefined {
  if (!isJsonObject(mine) || !isJsonObject(theirs)) return theirs
  const keys = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].filter((key) => !fixed.has(key))
  const key = keys[choice % Math.max(1, keys.length)]
  return key === undefined ? mine : { ...mine, [key]: swap(mine[key], theirs[key], rest) }
}

function asJson(object: KubeObject): JsonObject {
  return object as unknown as JsonObject
}
