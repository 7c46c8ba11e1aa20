/**
 * Test data: the differences between two CRDs, one line each.
 *
 * @module
 */
import { isJsonObject, type JsonObject, type JsonValue } from '@slurm-operator/kube'

/** Lists in which the order means nothing, and what tells their elements apart. */
const keyedBy: Readonly<Record<string, string>> = { additionalPrinterColumns: 'name', versions: 'name' }
/** Texts for people are not recorded. */
const silent = new Set(['description', 'message'])

/** `+` for what only ours has, `-` for what only the reference has, `~` for what is not the same. */
export function findSchemaDifferences(reference: JsonValue, ours: JsonValue, path = ''): string[] {
  if (isJsonObject(reference) && isJsonObject(ours)) return compareFields(reference, ours, path)
  return printed(reference) === printed(ours) ? [] : [`~ ${path}`]
}

/** Texts within lists are left out, too. */
function printed(value: JsonValue): string {
  return JSON.stringify(value, (name, part: unknown) => (silent.has(name) ? undefined : part))
}

function compareFields(reference: JsonObject, ours: JsonObject, path: string): string[] {
  const names = [...new Set([...Object.keys(reference), ...Object.keys(ours)])].filter((name) => !isSilent(path, name))
  return names.sort().flatMap((name) => {
    const at = path === '' ? name : `${path}.${name}`
    const [one, other] = [asFields(name, reference[name]), asFields(name, ours[name])]
    if (one === undefined) return [`+ ${at}`]
    return other === undefined ? [`- ${at}`] : findSchemaDifferences(one, other, at)
  })
}

/** A field may be called like a keyword. */
function isSilent(path: string, name: string): boolean {
  return silent.has(name) && !path.endsWith('properties')
}

function asFields(name: string, value: JsonValue | undefined): JsonValue | undefined {
  const key = keyedBy[name]
  if (value === undefined || key === undefined || !Array.isArray(value)) return value
  return Object.fromEntries((value as readonly JsonObject[]).map((element) => [JSON.stringify(element[key]), element]))
}
