import { isJsonList, ownValue, type Container, type JsonObject, type JsonValue } from '@slurm-operator/kube'
import { prepareEnvironments } from './merge-environment.ts'
import { dropReplacedHandlers, findEmptyProbes } from './merge-handlers.ts'
import { mergeStrategically, readUserPart } from './merge-strategic.ts'
import type { Built } from './problem.ts'

/**
 * Our container with what a user said about it. Arguments are joined, ours first; all else is the user's where the user
 * said something, also `false`, `0` and `""`. The name stays ours: other things refer to it.
 *
 * @param user the free-form field of the resource, as it is
 * @param path where that field stands, for the words of problems
 */
export function mergeContainer(base: Container, user: unknown, path: string): Built<Container> {
  const part = readUserPart(user, path)
  const { base: ours, user: theirs, problems } = prepareEnvironments(asJson(base), part.value, path)
  const patch = { ...theirs, ...joinArguments(ours, theirs), name: base.name }
  const merged = mergeStrategically(dropReplacedHandlers(ours, patch), patch, 'Container', path)
  return {
    value: merged.value as unknown as Container,
    problems: [...part.problems, ...problems, ...merged.problems, ...findEmptyProbes(merged.value, path)],
  }
}

function joinArguments(base: JsonObject, user: JsonObject): JsonObject {
  const [ours, theirs] = [ownValue(base, 'args'), ownValue(user, 'args')]
  if (!isJsonList(ours) || !isJsonList(theirs)) return {}
  return { args: [...ours, ...theirs] satisfies JsonValue[] }
}

function asJson(container: Container): JsonObject {
  return container as unknown as JsonObject
}
