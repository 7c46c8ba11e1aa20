/**
 * What of a NodeSet makes a new revision of its workers, printed as the Go operators print it: their typed structures drop
 * empty plain fields and always print a few others. Then the hashes are the same, and no worker is replaced because the
 * operator was.
 *
 * @module
 */
import type { NodeSetWithDefaults } from '@slurm-operator/api'
import {
  canonicalQuantity,
  isJsonList,
  isJsonObject,
  ownEntries,
  printGoJson,
  whyInvalidQuantity,
  type JsonObject,
  type JsonValue,
} from '@slurm-operator/kube'

/** The text of the revision's data. */
export function printRevisionData({ spec }: Pick<NodeSetWithDefaults, 'spec'>): string {
  const { template, slurmd, logfile, ssh, extraConf, ordinalPadding, oversubscribeNode } = spec
  const parts: JsonObject = {
    ...{ ordinalPadding, oversubscribeNode },
    template: replacing({ metadata: metadataOf(template), spec: podSpecOf(template?.spec) }),
    slurmd: replacing(containerOf(slurmd)),
    ...(logfile !== undefined && { logfile: replacing(containerOf(logfile)) }),
    ...(ssh !== undefined && { ssh: replacing(cleaned(ssh)) }),
    ...(extraConf !== undefined && extraConf !== '' && { extraConf }),
  }
  return printGoJson({ spec: parts })
}

function replacing(part: JsonObject): JsonObject {
  return { ...part, $patch: 'replace' }
}

function metadataOf(template: NodeSetWithDefaults['spec']['template']): JsonObject {
  const { labels, annotations } = template?.metadata ?? {}
  return cleaned({ labels, annotations })
}

function podSpecOf(spec: unknown): JsonObject {
  const { containers, initContainers, ...rest } = cleaned(spec)
  const init = containersOf(initContainers)
  return { ...rest, containers: containersOf(containers), ...(init !== null && { initContainers: init }) }
}

function containersOf(list: JsonValue | undefined): JsonValue {
  return isJsonList(list) ? list.map(containerOf) : null
}

/** A container always prints its name and its resources. */
function containerOf(container: unknown): JsonObject {
  return { name: '', resources: {}, ...cleaned(container) }
}

/** Switches that are printed only when they are on. All others say something also when they are off. */
const plainSwitches: ReadonlySet<string> = new Set([
  ...['hostNetwork', 'hostPID', 'hostIPC', 'stdin', 'stdinOnce', 'tty', 'readOnly'],
])

/** Numbers that are printed only when they are not zero. */
const plainNumbers: ReadonlySet<string> = new Set([
  ...['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold', 'hostPort'],
])

/** Texts that are printed also when they are empty. */
const fixedTexts: ReadonlySet<string> = new Set(['name', 'key', 'mountPath', 'fieldPath', 'topologyKey'])

const quantityPaths = /(?:^|\.)(?:limits|requests|overhead)\.[^.]+$|(?:^|\.)(?:sizeLimit|divisor)$/

function cleaned(value: unknown): JsonObject {
  const result = clean(value as JsonValue, '')
  return isJsonObject(result) ? result : {}
}

function clean(value: JsonValue, path: string): JsonValue {
  if (isJsonList(value)) return value.map((item) => clean(item, path))
  if (isJsonObject(value)) {
    const entries = ownEntries(value).map(([key, inner]): [string, JsonValue] => [key, clean(inner, `${path}.${key}`)])
    return Object.fromEntries(entries.filter(([key, inner]) => isPrinted(key, inner, path)))
  }
  const isAmount = (typeof value === 'string' || typeof value === 'number') && quantityPaths.test(path)
  return isAmount && whyInvalidQuantity(value) === undefined ? canonicalQuantity(value) : value
}

function isPrinted(key: string, value: JsonValue | undefined, path: string): boolean {
  if (value === null || value === undefined) return false
  if (isJsonList(value)) return value.length > 0
  if (value === '') return (fixedTexts.has(key) && !path.endsWith('Ref')) || isFreeMap(path)
  if (isJsonObject(value) && ownEntries(value).length === 0) return !isFreeMap(`.${key}`)
  if (value === false) return !plainSwitches.has(key)
  if (value === 0) return !plainNumbers.has(key)
  return true
}

/** Labels and the like: their values are the user's, whatever they are. */
function isFreeMap(path: string): boolean {
  return /\.(?:labels|annotations|nodeSelector|matchLabels)$/.test(path)
}
