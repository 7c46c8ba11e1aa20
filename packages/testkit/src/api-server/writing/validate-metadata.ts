import { textOf } from '../objects/api-object.ts'
import { isJsonList, isJsonObject, type JsonObject, type JsonValue, ownEntries } from '@slurm-operator/kube'
import { causes, type Cause } from '../objects/failure.ts'

const DNS_LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const DNS_SUBDOMAIN = `${DNS_LABEL}(\\.${DNS_LABEL})*`
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const LABEL_VALUE = '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?'

const texts = {
  subdomain: `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${DNS_SUBDOMAIN}')`,
  label: `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${DNS_LABEL}')`,
  qualified: `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED}')`,
  value: `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${LABEL_VALUE}')`,
} as const

const whole = (form: string) => new RegExp(`^${form}$`)
const forms = {
  subdomain: whole(DNS_SUBDOMAIN),
  label: whole(DNS_LABEL),
  qualified: whole(QUALIFIED),
  value: whole(LABEL_VALUE),
}
const standardFinalizers: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes'])

/** Everything that is wrong with the metadata of an object, in the words of a real server. */
export function validateMetadata(metadata: JsonObject, kind: string): Cause[] {
  return [
    ...validateName(metadata['name'], kind),
    ...validateLabels(metadata['labels']),
    ...validateAnnotations(metadata['annotations']),
    ...validateOwners(metadata['ownerReferences']),
    ...validateFinalizers(metadata['finalizers']),
  ]
}

function validateName(name: JsonValue | undefined, kind: string): Cause[] {
  if (typeof name !== 'string' || name === '')
    return [causes.required('metadata.name', 'name or generateName is required')]
  const form = kind === 'Namespace' || kind === 'Service' ? 'label' : 'subdomain'
  const longest = form === 'label' ? 63 : 253
  if (kind.endsWith('Role') || kind.endsWith('RoleBinding')) return []
  if (name.length > longest) return [causes.invalid('metadata.name', name, `must be no more than ${longest} bytes`)]
  return forms[form].test(name) ? [] : [causes.invalid('metadata.name', name, texts[form])]
}

function textEntries(map: JsonValue | undefined): [string, string][] {
  return isJsonObject(map) ? ownEntries(map).map(([key, value]) => [key, textOf(value)]) : []
}

function validateLabels(labels: JsonValue | undefined): Cause[] {
  return textEntries(labels).flatMap(([key, value]) => [
    ...validateKey('metadata.labels', key),
    ...validateLabelValue(value),
  ])
}

function validateLabelValue(value: string): Cause[] {
  if (value.length > 63) return [causes.invalid('metadata.labels', value, 'must be no more than 63 bytes')]
  return forms.value.test(value) ? [] : [causes.invalid('metadata.labels', value, texts.value)]
}

function validateAnnotations(annotations: JsonValue | undefined): Cause[] {
  return textEntries(annotations).flatMap(([key]) => validateKey('metadata.annotations', key.toLowerCase(), key))
}

function validateKey(field: string, key: string, shown = key): Cause[] {
  const parts = key.split('/')
  const [name = '', domain] = parts.toReversed()
  if (parts.length > 2)
    return [
      causes.invalid(
        field,
        shown,
        `a valid label key must consist of alphanumeric characters with an optional DNS subdomain prefix and '/'`,
      ),
    ]
  const wrongDomain =
    domain !== undefined && !forms.subdomain.test(domain)
      ? [causes.invalid(field, shown, `prefix part ${texts.subdomain}`)]
      : []
  const tooLong = name.length > 63 ? [causes.invalid(field, shown, 'name part must be no more than 63 bytes')] : []
  return [
    ...wrongDomain,
    ...tooLong,
    ...(forms.qualified.test(name) ? [] : [causes.invalid(field, shown, texts.qualified)]),
  ]
}

function validateOwners(owners: JsonValue | undefined): Cause[] {
  if (!isJsonList(owners)) return []
  const field = 'metadata.ownerReferences'
  const references = owners.filter(isJsonObject)
  const empty = references.flatMap((reference) =>
    ['apiVersion', 'kind', 'name', 'uid']
      .filter((name) => (reference[name] ?? '') === '')
      .map((name) => causes.invalid(`${field}.${name}`, '', 'must not be empty')),
  )
  const [first, second] = references.filter(({ controller }) => controller === true)
  if (first === undefined || second === undefined) return empty
  const names = [first, second].map(({ kind, name }) => `${textOf(kind)}/${textOf(name)}`)
  return [
    ...empty,
    causes.invalid(
      field,
      owners,
      `Only one reference can have Controller set to true. Found "true" in references for ${names.join(' and ')}`,
    ),
  ]
}

function validateFinalizers(finalizers: JsonValue | undefined): Cause[] {
  if (!isJsonList(finalizers)) return []
  return finalizers.map(textOf).flatMap((name, index) => {
    const field = `metadata.finalizers[${index}]`
    if (standardFinalizers.has(name)) return []
    if (!name.includes('/'))
      return [causes.invalid(field, name, 'name is neither a standard finalizer name nor is it fully qualified')]
    return validateKey(field, name)
  })
}
