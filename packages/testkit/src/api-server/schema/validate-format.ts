import type { JSONSchemaProps, JsonValue } from '@slurm-operator/kube'
import type { Cause } from '../objects/failure.ts'

const INT32 = 2 ** 31
const INT64 = 2 ** 63

/** The formats that are checked; a format without a check says nothing, here and in a real server. */
const checks: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  'date-time': (value) =>
    typeof value !== 'string' || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(value),
  date: (value) => typeof value !== 'string' || /^\d{4}-\d\d-\d\d$/.test(value),
  byte: (value) =>
    typeof value !== 'string' || /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value),
  duration: (value) => typeof value !== 'string' || /^-?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$|^0$/.test(value),
  ipv4: (value) => typeof value !== 'string' || /^(\d{1,3}\.){3}\d{1,3}$/.test(value),
  uuid: (value) => typeof value !== 'string' || /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(value),
  int32: (value) => typeof value !== 'number' || (value >= -INT32 && value < INT32),
  int64: (value) => typeof value !== 'number' || (value >= -INT64 && value < INT64),
}

/** Whether a value has the format of its schema. */
export function validateFormat(value: JsonValue, { format = '' }: JSONSchemaProps, path: string): Cause[] {
  const isFine = checks[format]
  if (isFine === undefined || isFine(value)) return []
  const shown = JSON.stringify(value)
  return [
    {
      reason: 'FieldValueTypeInvalid',
      message: `Invalid value: ${shown}: ${path} in body must be of type ${format}: ${shown}`,
      field: path,
    },
  ]
}
