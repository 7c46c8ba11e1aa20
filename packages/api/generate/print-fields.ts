import type { Schema } from '../src/schema/schema.ts'
import { printTable } from './print-table.ts'

/** A table of all fields below a schema, each with its whole path. */
export function printFields(schema: Schema): string {
  return printTable(['Field', 'Type', 'Default', 'Meaning'], listFields(schema, ''))
}

function listFields(schema: Schema, path: string): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = `${path}${name}`
    const isNeeded = (schema.required?.includes(name) ?? false) && field.default === undefined
    const row = [`\`${at}\``, describeType(field), describeDefault(field, isNeeded), field.description ?? '']
    const inner = field.type === 'array' ? field.items : field
    return [row, ...listFields(inner ?? {}, `${at}${field.type === 'array' ? '[]' : ''}.`)]
  })
}

function describeDefault({ default: stored, defaultInMemory }: Schema, isNeeded: boolean): string {
  if (isNeeded) return '**required**'
  const value = stored ?? defaultInMemory
  const isTold = value !== undefined && value !== '' && JSON.stringify(value) !== '{}'
  return isTold ? `\`${typeof value === 'string' ? value : JSON.stringify(value)}\`` : ''
}

function describeType(schema: Schema): string {
  if (schema.freeForm !== undefined) return freeForms[schema.freeForm]
  if (schema['x-kubernetes-int-or-string'] === true) return 'number or text'
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${word}\``).join(', ')
  if (schema.type === 'array') return `list of ${describeType(schema.items ?? {})}`
  if (schema.additionalProperties !== undefined) return `map of ${describeType(schema.additionalProperties)}`
  return describeSimple(schema)
}

function describeSimple({ type, format, minimum, maximum, maxLength }: Schema): string {
  if (format === 'date-time') return 'time'
  if (type === 'integer') return `number${describeRange(minimum, maximum)}`
  if (type === 'string') return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`
  return type === 'boolean' ? 'true or false' : 'object'
}

function describeRange(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined) return ''
  return maximum === undefined ? ` from ${minimum}` : ` from ${minimum} to ${maximum}`
}

const freeForms = {
  PodSpec: 'PodSpec of Kubernetes',
  Container: 'Container of Kubernetes',
  ServiceSpec: 'ServiceSpec of Kubernetes',
  PersistentVolumeClaims: 'list of PersistentVolumeClaims of Kubernetes',
} as const
