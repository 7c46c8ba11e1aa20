import {
  buildControllerReference,
  isJsonList,
  isJsonObject,
  ownEntries,
  type JsonObject,
  type JsonValue,
  type KubeObject,
} from '@slurm-operator/kube'
import type { ParentObject } from './child.ts'

/** The metadata that is ours to set; all else belongs to the server. */
const metadataFields: ReadonlySet<string> = new Set([
  ...['name', 'namespace', 'labels', 'annotations', 'ownerReferences', 'finalizers'],
])

/**
 * A wanted object as it is sent: without nulls and fields that only the server sets, in the namespace of its owner, and
 * with the owner as the one that decides unless the builder named owners itself.
 */
export function normalizeWanted(wanted: KubeObject, owner: ParentObject): KubeObject {
  const { status: _status, metadata, ...rest } = withoutNulls(wanted as unknown as JsonObject) as JsonObject
  const own = Object.fromEntries(
    ownEntries(isJsonObject(metadata) ? metadata : {}).filter(([name]) => metadataFields.has(name)),
  )
  const namespace = own['namespace'] ?? owner.metadata.namespace
  const ownerReferences = own['ownerReferences'] ?? [{ ...buildControllerReference(owner) }]
  const whole: JsonObject = {
    ...rest,
    metadata: { ...own, ...(namespace !== undefined && { namespace }), ownerReferences },
  }
  return (isSecret(rest) ? withoutStringData(whole) : whole) as unknown as KubeObject
}

function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(withoutNulls)
  if (!isJsonObject(value)) return value
  const entries = ownEntries(value).filter(([, inner]) => inner !== null)
  return Object.fromEntries(entries.map(([name, inner]) => [name, withoutNulls(inner)]))
}

function isSecret({ apiVersion, kind }: JsonObject): boolean {
  return apiVersion === 'v1' && kind === 'Secret'
}

/** The server turns `stringData` into `data` and forgets who set it; so it is done here. */
function withoutStringData({ stringData, data, ...rest }: JsonObject): JsonObject {
  const encoded = ownEntries(isJsonObject(stringData) ? stringData : {}).map(([name, text]): [string, JsonValue] => [
    name,
    typeof text === 'string' ? Buffer.from(text).toString('base64') : text,
  ])
  if (encoded.length === 0) return data === undefined ? rest : { ...rest, data }
  return { ...rest, data: { ...(isJsonObject(data) ? data : {}), ...Object.fromEntries(encoded) } }
}
