/**
 * Probes and lifecycle hooks: maps of which one member says what is done. Two of them together are refused by the API
 * server, and so is none.
 *
 * @module
 */
import { isJsonObject, ownEntries, ownKeys, ownValue, withoutKeys, type JsonObject } from '@slurm-operator/kube'
import type { Problem } from './problem.ts'

const probeNames = ['livenessProbe', 'readinessProbe', 'startupProbe']
const hookNames = ['postStart', 'preStop']
const handlerNames = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep']

/** The base without the handlers that the user replaces. A user's probe of thresholds alone replaces none. */
export function dropReplacedHandlers(base: JsonObject, user: JsonObject): JsonObject {
  const lifecycle = dropAt(objectAt(base, 'lifecycle'), objectAt(user, 'lifecycle'), hookNames)
  return { ...dropAt(base, user, probeNames), ...(ownValue(base, 'lifecycle') !== undefined && { lifecycle }) }
}

/** Probes that nobody said how to do. */
export function findEmptyProbes(container: JsonObject, path: string): Problem[] {
  const probes = probeNames.filter((name) => ownValue(container, name) !== undefined)
  const empty = probes.filter((name) => !hasHandler(objectAt(container, name)))
  return empty.map((name) => ({
    path: `${path}.${name}`,
    problem: 'does not say what to probe. Add exec, httpGet, tcpSocket or grpc.',
  }))
}

function dropAt(base: JsonObject, user: JsonObject, names: readonly string[]): JsonObject {
  const entries = ownEntries(base).map(([key, value]) => {
    const replaced = names.includes(key) && isJsonObject(value) && hasHandler(objectAt(user, key))
    return [key, replaced ? withoutKeys(value, handlerNames) : value]
  })
  return Object.fromEntries(entries)
}

function hasHandler(probe: JsonObject): boolean {
  return ownKeys(probe).some((key) => handlerNames.includes(key))
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const value = ownValue(object, key)
  return isJsonObject(value) ? value : {}
}
