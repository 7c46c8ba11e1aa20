import { isJsonList, type JsonObject, type JSONSchemaProps } from '@slurm-operator/kube'
import { rulesOf } from '../kinds/kind-rules.ts'
import { type ApiObject, type DraftObject, mapAt, textOf } from '../objects/api-object.ts'
import { badRequest, causes, invalid, type Cause } from '../objects/failure.ts'
import type { WriteOptions } from '../requests/read-options.ts'
import type { ResourceType } from '../resources/resource-type.ts'
import { fillDefaults, type NullRule } from '../schema/fill-defaults.ts'
import { pruneObject } from '../schema/prune.ts'
import { validateValue } from '../schema/validate-value.ts'
import { holdsFreeJson, withoutEmpty } from './without-empty.ts'
import { validateMetadata } from './validate-metadata.ts'

/** What was sent, without what the kind does not know and with what it adds by itself. */
export function fitToType(
  draft: DraftObject,
  type: ResourceType,
  options: WriteOptions,
  warn: (text: string) => void,
): DraftObject {
  const schema = type.custom?.schema
  if (schema === undefined) return fillBuiltin(draft, type)
  const { object, unknown } = pruneObject(draft, schema)
  const texts = unknown.map((path) => `unknown field "${path}"`)
  if (options.fieldValidation === 'Strict' && texts.length > 0) {
    throw badRequest(
      `${type.kind} in version "${type.version}" cannot be handled as a ${type.kind}: strict decoding error: ${texts.join(', ')}`,
    )
  }
  if (options.fieldValidation === 'Warn') texts.forEach(warn)
  return fillCustom(object, schema, options.isApply ? 'keep' : 'drop')
}

/** The same for an object that came from a handler and needs no warnings. */
export function refit(draft: DraftObject, type: ResourceType): DraftObject {
  const schema = type.custom?.schema
  return schema === undefined ? fillBuiltin(draft, type) : fillCustom(pruneObject(draft, schema).object, schema, 'drop')
}

/** Metadata is the same for all kinds, and as in all of them nothing in it is empty. */
function fillCustom(object: JsonObject, schema: JSONSchemaProps, nulls: NullRule): DraftObject {
  return { ...mapAt(fillDefaults(object, schema, nulls)), metadata: mapAt(withoutEmpty(object['metadata'] ?? {})) }
}

function fillBuiltin(draft: DraftObject, type: ResourceType): DraftObject {
  if (type.custom !== undefined) return draft
  const clean = holdsFreeJson.has(type.kind) ? draft : (withoutEmpty(draft) as DraftObject)
  return rulesOf(type).fill?.(clean) ?? clean
}

/** Refuse an object that its kind does not allow. */
export function validateObject(object: DraftObject, old: ApiObject | undefined, type: ResourceType): void {
  const schema = type.custom?.schema
  const wrong: Cause[] = [
    ...validateMetadata(object.metadata, type.kind),
    ...validateNewFinalizers(object, old),
    ...(schema === undefined ? [] : validateValue(fieldsOf(object), { ...schema, type: 'object' }, '')),
    ...(rulesOf(type).validate?.(object, old) ?? []),
  ]
  if (wrong.length > 0) throw invalid(type, textOf(object.metadata['name']), wrong)
}

/** Whoever holds an object must have said so before its deletion began. */
function validateNewFinalizers({ metadata }: DraftObject, old: ApiObject | undefined): Cause[] {
  if (old?.metadata.deletionTimestamp === undefined || !isJsonList(metadata['finalizers'])) return []
  const before = old.metadata.finalizers ?? []
  const added = metadata['finalizers'].map(textOf).filter((name) => !before.includes(name))
  if (added.length === 0) return []
  const list = added.map((name) => `"${name}"`).join(', ')
  const why = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`
  return [causes.forbidden('metadata.finalizers', why)]
}

/** Metadata has its own rules. */
function fieldsOf(object: DraftObject): JsonObject {
  return { ...object, metadata: {} }
}
