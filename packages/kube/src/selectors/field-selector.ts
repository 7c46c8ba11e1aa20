/**
 * Which objects are meant, by a few of their fields: `spec.nodeName=a,status.phase!=Running`. Which fields a server
 * supports differs by kind; here the text form and its meaning are known, no more.
 *
 * @module
 */
import { isJsonObject, ownValue, type JsonObject, type JsonValue } from '../json/json-value.ts'
import { SelectorError } from './requirement.ts'

/** One condition on one field. */
export interface FieldTerm {
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

/** All terms must hold; the empty list matches everything. */
export type FieldSelector = readonly FieldTerm[]

/** Read the text form. `\`, `,` and `=` inside a value are written with a backslash before them. */
export function parseFieldSelector(text: string): FieldTerm[] {
  const terms = text.match(/(?:\\.|[^,\\])+|\\$/gs) ?? []
  return terms.map((term) => readTerm(term, text)).sort(byField)
}

/** The text form, as a list or watch request wants it. */
export function printFieldSelector(selector: FieldSelector): string {
  return [...selector]
    .sort(byField)
    .map(({ field, operator, value }) => field + operator + value.replaceAll(/[\\,=]/g, String.raw`\$&`))
    .join(',')
}

/** Whether an object fulfils every term. A field that is not there counts as empty, as the server counts it. */
export function matchesFields(selector: FieldSelector, object: JsonObject, read = readField): boolean {
  return selector.every(({ field, operator, value }) => (read(object, field) === value) === (operator === '='))
}

/** The text of a field such as `spec.nodeName`. */
export function readField(object: JsonObject, field: string): string {
  let value: JsonValue | undefined = object
  for (const key of field.split('.')) value = isJsonObject(value) ? ownValue(value, key) : undefined
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
}

function readTerm(term: string, text: string): FieldTerm {
  const { field, operator, value } = /^(?<field>.*?)(?<operator>!=|==|=)(?<value>.*)$/s.exec(term)?.groups ?? {}
  if (field === undefined || value === undefined) {
    throw new SelectorError(text, `${JSON.stringify(term)} has no =, == or !=`)
  }
  if (field === '') throw new SelectorError(text, `${JSON.stringify(term)} names no field`)
  if (!/^(?:\\[\\,=]|[^\\,=])*$/s.test(value)) {
    throw new SelectorError(text, `the value ${JSON.stringify(value)} needs a backslash before each "\\", "," and "="`)
  }
  return { field, operator: operator === '!=' ? '!=' : '=', value: value.replaceAll(/\\(.)/gs, '$1') }
}

function byField(a: FieldTerm, b: FieldTerm): number {
  return a.field === b.field ? 0 : a.field < b.field ? -1 : 1
}
