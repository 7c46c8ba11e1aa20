import {
  canonicalQuantity,
  isJsonList,
  isJsonObject,
  isPodQuantity,
  ownEntries,
  whyInvalidQuantity,
  type JsonObject,
  type JsonValue,
} from '@slurm-operator/kube'

/** A pod spec with every amount in the one form that a server stores: `100m` for `0.1`. */
export function inOneForm(spec: JsonObject): JsonObject {
  return Object.fromEntries(ownEntries(spec).map(([key, value]) => [key, formOf(value, [key])]))
}

function formOf(value: JsonValue, path: readonly string[]): JsonValue {
  if (isJsonList(value)) return value.map((item) => formOf(item, path))
  if (isJsonObject(value))
    return Object.fromEntries(ownEntries(value).map(([key, inner]) => [key, formOf(inner, [...path, key])]))
  const isAmount = (typeof value === 'string' || typeof value === 'number') && isPodQuantity(path)
  return isAmount && whyInvalidQuantity(value) === undefined ? canonicalQuantity(value) : value
}
