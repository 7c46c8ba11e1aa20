import { isFailure, isJsonObject, ownValue, type JsonObject, type JsonValue } from '@slurm-operator/kube'
import type { ApplyStep } from './child.ts'

/**
 * A way around a default that no longer fits: `strategy.rollingUpdate`, which the server once filled in and nobody owns,
 * stands in the way of `strategy.type: Recreate`. Server-side apply removes only what the manager applied before. So
 * the object to send first is the wanted one with that part as it is now; then the part is ours, and goes.
 */
export function planDetour(error: unknown, { object, live }: ApplyStep): ApplyStep['object'] | undefined {
  if (!isFailure(error, 'Invalid')) return undefined
  const inTheWay = error.causes
    .map(({ field = '' }) => field.split('.'))
    .filter((path) => isInTheWay(path, object, live))
  if (inTheWay.length === 0) return undefined
  const parts = inTheWay.map((path) => path.slice(0, -1))
  return parts.reduce<object>(
    (whole, path) => replaced(whole as JsonObject, path, find(live, path)),
    object,
  ) as ApplyStep['object']
}

/** It is there although nobody wants it. Places within lists are not looked for. */
function isInTheWay(path: readonly string[], object: object, live: object): boolean {
  return path.length > 2 && find(object, path) === undefined && find(live, path) !== undefined
}

function find(whole: object, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, name) => (isJsonObject(value) ? ownValue(value, name) : undefined),
    whole as JsonObject,
  )
}

function replaced(
  whole: JsonObject,
  [name = '', ...rest]: readonly string[],
  value: JsonValue | undefined,
): JsonObject {
  const inside = ownValue(whole, name)
  return { ...whole, [name]: rest.length === 0 ? value : replaced(isJsonObject(inside) ? inside : {}, rest, value) }
}
