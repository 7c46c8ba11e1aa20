/**
 * Edits of any field of any kind, as people and pipelines make them, and specs that are put together from them.
 *
 * @module
 */
import fc from 'fast-check'
import type { OurKind, Schema } from '@slurm-operator/api'
import { isJsonObject, type JsonObject, type JsonValue } from '@slurm-operator/kube'
import { anyOdd, anySound, anyWrong } from './gen-values.ts'
import { patchAt, type Leaf } from './leaves.ts'

/** Sound: it works. Odd: the schema allows it. Wrong: the schema forbids it. Removed: the field is taken away. */
export type Quality = 'sound' | 'odd' | 'wrong' | 'removed'

/** One edit of one field. */
export interface Edit {
  readonly kind: OurKind
  readonly path: string
  readonly quality: Quality
  /** A merge patch. */
  readonly spec: JsonObject
}

/** An edit of this field. */
export function anyEditAt(leaf: Leaf, quality: Quality): fc.Arbitrary<Edit> {
  return anyValue(leaf, quality).map((value) => ({
    ...{ kind: leaf.kind, path: leaf.path, quality },
    spec: join(patchAt(leaf, value, leastValue), companionsOf(leaf.path, value)),
  }))
}

function anyValue({ path, schema }: Leaf, quality: Quality): fc.Arbitrary<JsonValue> {
  switch (quality) {
    case 'sound':
      return anySound(path, schema)
    case 'odd':
      return anyOdd(path, schema)
    case 'wrong':
      return anyWrong(schema)
    case 'removed':
      return fc.constant(null)
  }
}

function leastValue(path: string, schema: Schema): JsonValue {
  return fc.sample(anySound(path, schema), { numRuns: 1, seed: 0 })[0] ?? null
}

/** What a rule over several fields demands beside a value: without it the API server refuses the edit. */
function companionsOf(path: string, value: JsonValue): JsonObject {
  const secretRef = { name: 'keys', key: 'key' }
  const isOn = value === true
  if (path.endsWith('.external') && isOn) return { externalConfig: { host: 'ctl.example.com' } }
  if (path === 'Controller.ha.enabled' && isOn) return { persistence: { enabled: true, existingClaim: 'state' } }
  if (path === 'NodeSet.ssh.enabled' && isOn) return { ssh: { sssdConfRef: secretRef } }
  if (path.endsWith('.matchExpressions[].values[]'))
    return { persistence: { selector: { matchExpressions: [{ key: 'disk', operator: 'In', values: [value] }] } } }
  if (path === 'LoginSet.strategy.type' && value === 'Recreate') return { strategy: { rollingUpdate: null } }
  if (path.startsWith('LoginSet.strategy.rollingUpdate.')) return { strategy: { type: 'RollingUpdate' } }
  if (value === 'ScheduledUpdate') return { updateStrategy: { scheduledUpdate: { startTime: '2030-01-01T00:00:00Z' } } }
  if (path === 'Cluster.server') return { controllerRef: null, token: { secretRef } }
  if (path.startsWith('Cluster.token.')) return { controllerRef: null, server: 'http://127.0.0.1:1' }
  if (path === 'Cluster.controllerRef.name') return { server: null, token: null }
  return {}
}

/** Two patches as one. */
function join(one: JsonObject, other: JsonObject): JsonObject {
  const both = Object.entries(other).map(([name, value = null]) => {
    const before = one[name]
    return [name, isJsonObject(before) && isJsonObject(value) ? join(before, value) : value]
  })
  return { ...one, ...Object.fromEntries(both) } as JsonObject
}
