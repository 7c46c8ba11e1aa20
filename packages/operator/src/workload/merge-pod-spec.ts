import {
  equalJson,
  isJsonList,
  isJsonObject,
  ownKeys,
  ownValue,
  withoutKeys,
  type JsonObject,
  type JsonValue,
  type PodAffinityTerm,
  type PodSpec,
} from '@slurm-operator/kube'
import { mergeContainerLists } from './merge-container-lists.ts'
import { mergeStrategically, readUserPart } from './merge-strategic.ts'
import type { Built } from './problem.ts'

/** What the operator adds after the merge, because a user's list would replace it. */
export interface Additions {
  /** Pods that must not share a Kube node with this one. Only for several replicas: a single one needs none. */
  readonly apartFrom?: PodAffinityTerm
}

/**
 * Our pod with what a user said in `template.spec`. Containers named like ours are merged, others come behind; volumes
 * named like ours are one volume; tolerations of both sides hold.
 *
 * @param base its containers are already merged with their own fields of the resource
 * @param path where `template.spec` stands, for the words of problems
 */
export function mergePodSpec(base: PodSpec, user: unknown, path: string, additions: Additions = {}): Built<PodSpec> {
  const part = readUserPart(user, path)
  const containers = mergeContainerLists(base, part.value, path)
  const ours = withoutKeys(base as unknown as JsonObject, ['containers', 'initContainers'])
  const theirs = withoutKeys(part.value, ['containers', 'initContainers'])
  const merged = mergeStrategically(dropReplacedSources(ours, theirs), theirs, 'PodSpec', path)
  const spec = { ...merged.value, ...containers.value, ...uniteTolerations(ours, theirs) } as unknown as PodSpec
  return {
    value: additions.apartFrom ? keepApart(spec, additions.apartFrom) : spec,
    problems: [...part.problems, ...containers.problems, ...merged.problems],
  }
}

/** A volume has one source: where the user gives one, ours goes. */
function dropReplacedSources(base: JsonObject, user: JsonObject): JsonObject {
  const theirs = new Map(objectsIn(user, 'volumes').map((volume) => [ownValue(volume, 'name'), ownKeys(volume)]))
  const volumes = objectsIn(base, 'volumes').map((volume) => {
    const keys = theirs.get(ownValue(volume, 'name')) ?? []
    const isReplaced = keys.some((key) => key !== 'name')
    return isReplaced
      ? withoutKeys(
          volume,
          ownKeys(volume).filter((key) => !keys.includes(key)),
        )
      : volume
  })
  return volumes.length === 0 ? base : { ...base, volumes }
}

/** A user's toleration must not take ours away; the one that says more about the same taint is the user's. */
function uniteTolerations(base: JsonObject, user: JsonObject): JsonObject {
  const [ours, theirs] = [objectsIn(base, 'tolerations'), objectsIn(user, 'tolerations')]
  if (ours.length === 0 || theirs.length === 0) return {}
  const kept = ours.filter((mine) => !theirs.some((theirs) => equalJson(taintOf(mine), taintOf(theirs))))
  return { tolerations: [...theirs, ...kept] }
}

function taintOf(toleration: JsonObject): JsonValue {
  return ['key', 'operator', 'value', 'effect'].map((key) => ownValue(toleration, key) ?? '')
}

/** One more required term, behind the user's. */
function keepApart(spec: PodSpec, term: PodAffinityTerm): PodSpec {
  const anti = spec.affinity?.podAntiAffinity
  const terms = anti?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  const others = terms.filter((other) => !equalJson(asJson(other), asJson(term)))
  const podAntiAffinity = { ...anti, requiredDuringSchedulingIgnoredDuringExecution: [...others, term] }
  return { ...spec, affinity: { ...spec.affinity, podAntiAffinity } }
}

function asJson(term: PodAffinityTerm): JsonObject {
  return term as unknown as JsonObject
}

function objectsIn(object: JsonObject, key: string): readonly JsonObject[] {
  const list = ownValue(object, key)
  return isJsonList(list) ? list.filter((element) => isJsonObject(element)) : []
}
