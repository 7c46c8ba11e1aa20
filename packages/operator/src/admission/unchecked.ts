import { isJsonObject } from '@slurm-operator/kube'

/** The fields of something that the schema does not check; none if it is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {}
}

/** The items of something that the schema does not check; none if it is no list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
