import type { JSONSchemaProps } from '@slurm-operator/kube'

/** The metadata that every object, and every embedded object, may have. */
export const objectMetaFields: ReadonlySet<string> = new Set([
  ...[
    'annotations',
    'creationTimestamp',
    'deletionGracePeriodSeconds',
    'deletionTimestamp',
    'finalizers',
    'generateName',
    'generation',
  ],
  ...['labels', 'managedFields', 'name', 'namespace', 'ownerReferences', 'resourceVersion', 'selfLink', 'uid'],
])

/** Fields that need no mention in a schema. */
export const objectFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

/** The schema of the elements of a list. */
export function itemsOf(schema: JSONSchemaProps): JSONSchemaProps | undefined {
  return Array.isArray(schema.items) ? undefined : (schema.items as JSONSchemaProps | undefined)
}

/** The schema of one field, if there is one. */
export function fieldSchema(
  { properties = {}, additionalProperties }: JSONSchemaProps,
  name: string,
): JSONSchemaProps | undefined {
  if (Object.hasOwn(properties, name)) return properties[name]
  if (typeof additionalProperties === 'object') return additionalProperties
  return undefined
}

/** Whether fields that the schema does not mention stay. */
export function keepsUnknown(schema: JSONSchemaProps): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true
}

/** Whether a value is a whole object with metadata of its own. */
export function isEmbedded(schema: JSONSchemaProps): boolean {
  return schema['x-kubernetes-embedded-resource'] === true
}

/** A path for people: `spec.items[0].name`. */
export function fieldPath(path: string, part: string | number): string {
  if (typeof part === 'number') return `${path}[${part}]`
  return path === '' ? part : `${path}.${part}`
}
