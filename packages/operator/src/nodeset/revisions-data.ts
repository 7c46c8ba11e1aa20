/**
 * What a revision holds: the parts of the spec that make up a pod, printed as Go prints its typed structures. The text
 * decides the hash, and the hash decides whether pods are up to date; so it must not change by accident.
 *
 * @module
 */
import type { NodeSetWithDefaults } from '@slurm-operator/api'
import { isJsonList, isJsonObject, printGoJson, type JsonObject, type JsonValue } from '@slurm-operator/kube'

/** Fields whose false, zero or empty text is a choice of the user: they are pointers in Go and stay. */
const OPTIONAL_FIELDS: ReadonlySet<string> = new Set([
  ...['automountServiceAccountToken', 'enableServiceLinks', 'shareProcessNamespace', 'hostUsers', 'setHostnameAsFQDN'],
  ...['terminationGracePeriodSeconds', 'activeDeadlineSeconds', 'tolerationSeconds', 'priority', 'preemptionPolicy'],
  ...['privileged', 'allowPrivilegeEscalation', 'readOnlyRootFilesystem', 'runAsNonRoot', 'runAsUser', 'runAsGroup'],
  ...['fsGroup', 'fsGroupChangePolicy', 'optional', 'defaultMode', 'mode', 'expirationSeconds', 'minDomains'],
  ...['runtimeClassName', 'storageClassName', 'weight', 'port', 'key', 'name', 'value'],
  ...['mountPath', 'containerPort', 'path', 'topologyKey', 'maxSkew', 'operator', 'enabled'],
])
/** Of these only the text may be empty in lists of name and value; alone an empty value is nothing. */
const EMPTY_TEXT_IS_NOTHING: ReadonlySet<string> = new Set(['value', 'name', 'key', 'path', 'operator', 'optional'])

/** The text that is hashed and stored. */
export function printRevisionData({ spec }: NodeSetWithDefaults): string {
  return printGoJson(buildRevisionData(spec))
}

function buildRevisionData(spec: NodeSetWithDefaults['spec']): JsonObject {
  const { template, ordinalPadding, oversubscribeNode, slurmd, logfile, ssh, extraConf } = spec
  return {
    spec: {
      template: replaced(buildTemplate(template as JsonValue | undefined)),
      ordinalPadding,
      oversubscribeNode,
      slurmd: replaced(buildContainer((slurmd ?? {}) as JsonValue)),
      logfile: replaced(buildContainer((logfile ?? {}) as JsonValue)),
      ...(ssh !== undefined && { ssh: replaced(buildSsh(ssh as JsonValue)) }),
      ...(extraConf !== undefined && extraConf !== '' && { extraConf }),
    },
  }
}

/** A part that a rollback must replace as a whole. */
function replaced(part: JsonObject): JsonObject {
  return { ...part, $patch: 'replace' }
}

/** Structures without an omission rule are always there, empty or not. */
function buildTemplate(template: JsonValue | undefined): JsonObject {
  const { metadata, spec } = objectOf(template)
  const pod = objectOf(clean(objectOf(spec)))
  const containers = listOf(objectOf(spec)['containers'])
  const initContainers = listOf(objectOf(spec)['initContainers'])
  return {
    metadata: objectOf(clean(objectOf(metadata))),
    spec: {
      ...pod,
      containers: containers.length === 0 ? null : containers.map(buildContainer),
      ...(initContainers.length > 0 && { initContainers: initContainers.map(buildContainer) }),
    },
  }
}

function buildContainer(container: JsonValue): JsonObject {
  const cleaned = objectOf(clean(objectOf(container)))
  return { ...cleaned, name: cleaned['name'] ?? '', resources: cleaned['resources'] ?? {} }
}

function buildSsh(ssh: JsonValue): JsonObject {
  const { enabled, extraSshdConfig, sssdConfRef } = objectOf(ssh)
  return {
    enabled: enabled ?? false,
    ...(extraSshdConfig !== undefined && extraSshdConfig !== '' && { extraSshdConfig }),
    ...(sssdConfRef !== undefined && { sssdConfRef }),
  }
}

/** Without what Go leaves out: null, empty lists, empty texts, and false or zero in plain fields. */
function clean(value: JsonValue): JsonValue {
  if (isJsonList(value)) return value.map(clean)
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(([key, item]): [string, JsonValue] => [key, clean(item)])
  return Object.fromEntries(entries.filter(([key, item]) => !isLeftOut(key, item)))
}

function isLeftOut(key: string, value: JsonValue): boolean {
  if (value === null || (isJsonList(value) && value.length === 0)) return true
  if (value === '') return !OPTIONAL_FIELDS.has(key) || EMPTY_TEXT_IS_NOTHING.has(key)
  return (value === false || value === 0) && !OPTIONAL_FIELDS.has(key)
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonList(value) ? value : []
}
