import { equalJson, type JsonObject, ownEntries } from '@slurm-operator/kube'
import { textOf, mapAt, type ApiObject, type DraftObject } from '../objects/api-object.ts'
import { causes, type Cause } from '../objects/failure.ts'
import type { KindRules } from './rules.ts'

/** Secrets have a type and take plain texts. */
export const secretRules: KindRules = {
  fill: encodeTexts,
  validate: (secret, old) => [
    ...(old !== undefined && old['type'] !== secret['type']
      ? [causes.invalid('type', secret['type'], 'field is immutable')]
      : []),
    ...validateImmutable(secret, old),
  ],
}

/** ConfigMaps may be closed for good. */
export const configMapRules: KindRules = { validate: validateImmutable }

function validateImmutable(object: DraftObject, old: ApiObject | undefined): Cause[] {
  if (old?.['immutable'] !== true) return []
  const isSame = (field: string) => equalJson(mapAt(object, field), mapAt(old, field))
  return [
    ...(object['immutable'] === true
      ? []
      : [causes.forbidden('immutable', 'field is immutable when `immutable` is set')]),
    ...['data', 'binaryData']
      .filter((field) => !isSame(field))
      .map((field) => causes.forbidden(field, 'field is immutable when `immutable` is set')),
  ]
}

/** Plain texts as the server keeps them. */
function encodeTexts(secret: DraftObject): DraftObject {
  const { stringData, ...rest } = secret
  const texts = ownEntries(stringData === undefined ? {} : mapAt(secret, 'stringData'))
  const encoded: JsonObject = Object.fromEntries(
    texts.map(([key, text]) => [key, Buffer.from(textOf(text)).toString('base64')]),
  )
  const data = { ...mapAt(secret, 'data'), ...encoded }
  return { ...(rest as DraftObject), type: secret['type'] ?? 'Opaque', ...(Object.keys(data).length > 0 && { data }) }
}
