import {
  applyStrategicMerge,
  isJsonObject,
  mergeSchema,
  StrategicMergeError,
  type JsonObject,
} from '@slurm-operator/kube'
import { cleanUserPart } from './clean-user-part.ts'
import { built, type Built } from './problem.ts'

/** The free-form types that users write. */
export type FreeFormType = 'Container' | 'PodSpec'

/** A user's part as an object, cleaned; a value of another kind is a problem of that one resource and of nothing else. */
export function readUserPart(user: unknown, path: string): Built<JsonObject> {
  if (user === undefined || user === null) return built({})
  if (isJsonObject(user)) return built(cleanUserPart(user))
  return {
    value: {},
    problems: [{ path, problem: `is ${JSON.stringify(user)}, but must be an object. Write its fields below it.` }],
  }
}

/** Merge as the API server would. Where it would refuse, the base stays and the refusal becomes a problem. */
export function mergeStrategically(
  base: JsonObject,
  user: JsonObject,
  type: FreeFormType,
  path: string,
): Built<JsonObject> {
  try {
    return built(applyStrategicMerge(base, user, mergeSchema, `io.k8s.api.core.v1.${type}`))
  } catch (error) {
    if (!(error instanceof StrategicMergeError)) throw error
    return { value: base, problems: [{ path, problem: error.message }] }
  }
}
