/**
 * What a structural schema says about a value, in the words of a real API server. Rules in CEL are not among it.
 *
 * @module
 */
import {
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JSONSchemaProps,
  type JsonValue,
  ownEntries,
} from '@slurm-operator/kube'
import { causes, type Cause } from '../objects/failure.ts'
import { validateFormat } from './validate-format.ts'
import { fieldPath, fieldSchema, itemsOf } from './schema-place.ts'
import { validateListType } from './validate-list-type.ts'
import { validateScalar } from './validate-scalar.ts'

/** Everything that is wrong with a value. */
export function validateValue(value: JsonValue, schema: JSONSchemaProps, path: string): Cause[] {
  if (value === null && schema.nullable === true) return []
  const wrongType = whyWrongType(value, schema, path)
  if (wrongType !== undefined) return [wrongType]
  return [
    ...validateEnum(value, schema, path),
    ...validateScalar(value, schema, path),
    ...validateFormat(value, schema, path),
    ...(isJsonObject(value) ? validateMap(value, schema, path) : []),
    ...(isJsonList(value) ? validateList(value, schema, path) : []),
    ...validateCombined(value, schema, path),
  ]
}

function whyWrongType(value: JsonValue, schema: JSONSchemaProps, path: string): Cause | undefined {
  const wanted =
    schema['x-kubernetes-int-or-string'] === true
      ? ['integer', 'string']
      : schema.type === undefined
        ? []
        : [schema.type]
  const found = typeNameOf(value)
  const fits = wanted.length === 0 || wanted.includes(found) || (found === 'integer' && wanted.includes('number'))
  if (fits) return undefined
  const message = `Invalid value: "${found}": ${path} in body must be of type ${wanted.join(',')}: "${found}"`
  return { reason: 'FieldValueTypeInvalid', message, field: path }
}

function typeNameOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (isJsonList(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

function validateEnum(value: JsonValue, { enum: allowed }: JSONSchemaProps, path: string): Cause[] {
  if (allowed === undefined || allowed.some((one) => JSON.stringify(one) === JSON.stringify(value))) return []
  return [causes.unsupported(path, value, allowed)]
}

function validateMap(map: JsonObject, schema: JSONSchemaProps, path: string): Cause[] {
  const { required = [], minProperties = 0, maxProperties = Infinity } = schema
  const count = Object.keys(map).length
  const missing = required
    .filter((name) => !Object.hasOwn(map, name))
    .map((name) => causes.required(fieldPath(path, name)))
  const inner = ownEntries(map).flatMap(([name, value]) => {
    const property = fieldSchema(schema, name)
    return property === undefined ? [] : validateValue(value, property, fieldPath(path, name))
  })
  const tooFew =
    count < minProperties
      ? [causes.invalid(path, map, `${path} in body should have at least ${minProperties} properties`)]
      : []
  const tooMany = count > maxProperties ? [tooManyOf(path, count, maxProperties)] : []
  return [...missing, ...tooFew, ...tooMany, ...inner]
}

function validateList(list: readonly JsonValue[], schema: JSONSchemaProps, path: string): Cause[] {
  const { minItems = 0, maxItems = Infinity } = schema
  const items = itemsOf(schema)
  const tooFew =
    list.length < minItems
      ? [causes.invalid(path, list.length, `${path} in body should have at least ${minItems} items`)]
      : []
  const tooMany = list.length > maxItems ? [tooManyOf(path, list.length, maxItems)] : []
  const inner =
    items === undefined ? [] : list.flatMap((item, index) => validateValue(item, items, fieldPath(path, index)))
  return [...tooFew, ...tooMany, ...inner, ...validateListType(list, schema, path)]
}

function tooManyOf(path: string, count: number, most: number): Cause {
  return { reason: 'FieldValueTooMany', message: `Too many: ${count}: must have at most ${most} items`, field: path }
}

/** `allOf` and its like only add conditions; which of their branches failed is told in a general way. */
function validateCombined(value: JsonValue, schema: JSONSchemaProps, path: string): Cause[] {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema
  const fits = (branch: JSONSchemaProps) => validateValue(value, branch, path).length === 0
  const fail = (why: string) => [causes.invalid(path, '', `${path} in body ${why}`)]
  return [
    ...allOf.flatMap((branch) => validateValue(value, branch, path)),
    ...(anyOf.length > 0 && !anyOf.some(fits) ? fail('must validate at least one schema (anyOf)') : []),
    ...(oneOf.length > 0 && oneOf.filter(fits).length !== 1
      ? fail('must validate one and only one schema (oneOf)')
      : []),
    ...(not !== undefined && fits(not) ? fail('must not validate the schema (not)') : []),
  ]
}
