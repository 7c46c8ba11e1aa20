import type { JSONSchemaProps, JsonValue } from '@slurm-operator/kube'
import { causes, type Cause } from '../objects/failure.ts'

/** Bounds of numbers, lengths and patterns of texts. */
export function validateScalar(value: JsonValue, schema: JSONSchemaProps, path: string): Cause[] {
  if (typeof value === 'number') return validateNumber(value, schema, path)
  return typeof value === 'string' ? validateText(value, schema, path) : []
}

function validateNumber(value: number, schema: JSONSchemaProps, path: string): Cause[] {
  const { minimum = -Infinity, maximum = Infinity, multipleOf } = schema
  const isStrictMinimum = schema.exclusiveMinimum === true
  const isStrictMaximum = schema.exclusiveMaximum === true
  const wrong = (why: string) => causes.invalid(path, value, `${path} in body should be ${why}`)
  return [
    ...(value < minimum || (isStrictMinimum && value === minimum)
      ? [wrong(`greater than ${isStrictMinimum ? '' : 'or equal to '}${minimum}`)]
      : []),
    ...(value > maximum || (isStrictMaximum && value === maximum)
      ? [wrong(`less than ${isStrictMaximum ? '' : 'or equal to '}${maximum}`)]
      : []),
    ...(multipleOf !== undefined && value % multipleOf !== 0 ? [wrong(`a multiple of ${multipleOf}`)] : []),
  ]
}

/** A text that is too long is not held against its pattern any more. */
function validateText(
  value: string,
  { minLength = 0, maxLength = Infinity, pattern }: JSONSchemaProps,
  path: string,
): Cause[] {
  const length = Array.from(value).length
  if (length > maxLength)
    return [{ reason: 'FieldValueTooLong', message: `Too long: may not be more than ${maxLength} bytes`, field: path }]
  if (length < minLength)
    return [causes.invalid(path, value, `${path} in body should be at least ${minLength} chars long`)]
  if (pattern === undefined || new RegExp(pattern, 'u').test(value)) return []
  return [causes.invalid(path, value, `${path} in body should match '${pattern}'`)]
}
