import { isJsonList, isJsonObject, type JsonObject, type JsonValue, ownEntries } from '@slurm-operator/kube'
import type { Topology } from './topology.ts'
import { elementFor } from './walk.ts'

/** A live value with a configuration laid over it: what the configuration does not mention stays. */
export function mergeConfiguration(live: JsonValue | undefined, wanted: JsonValue, topology: Topology): JsonValue {
  if (isJsonObject(live) && isJsonObject(wanted) && !topology.isAtomicMap) return mergeMaps(live, wanted, topology)
  if (isJsonList(live) && isJsonList(wanted) && topology.listType !== 'atomic')
    return mergeLists(live, wanted, topology)
  return wanted
}

function mergeMaps(live: JsonObject, wanted: JsonObject, topology: Topology): JsonObject {
  const merged = new Map(ownEntries(live))
  for (const [field, value] of ownEntries(wanted)) {
    merged.set(field, mergeConfiguration(merged.get(field), value, topology.field(field)))
  }
  return Object.fromEntries(merged)
}

/**
 * The elements of both lists. Both are walked side by side: foreign elements keep their place between those that both
 * lists have, and these come in the wanted order.
 */
function mergeLists(live: readonly JsonValue[], wanted: readonly JsonValue[], topology: Topology): JsonValue[] {
  const name = (item: JsonValue) => elementFor(item, topology)
  const liveByName = new Map(live.map((item) => [name(item), item]))
  const wantedNames = new Set(wanted.map(name))
  const shared = wanted.map(name).filter((one) => liveByName.has(one))
  const placed = new Set<string>()
  const merged: JsonValue[] = []
  let [atLive, atWanted] = [0, 0]

  const takeWanted = (item: JsonValue) => {
    merged.push(mergeConfiguration(liveByName.get(name(item)), item, topology.element()))
    placed.add(name(item))
    if (shared[0] === name(item)) shared.shift()
    atWanted++
  }
  while (atLive < live.length || atWanted < wanted.length) {
    const [present, next] = [live[atLive], wanted[atWanted]]
    if (present === undefined) {
      if (next !== undefined) takeWanted(next)
    } else if (!wantedNames.has(name(present))) {
      merged.push(present)
      atLive++
    } else if (
      placed.has(name(present)) ||
      (next !== undefined && name(next) !== name(present) && shared[0] !== name(present))
    ) {
      atLive++ // it comes, or came, at its wanted place
    } else if (next !== undefined) {
      if (name(next) === name(present)) atLive++
      takeWanted(next)
    }
  }
  return merged
}
