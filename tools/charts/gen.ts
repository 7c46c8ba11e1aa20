/**
 * Values for tests of the charts: a cluster in which everything is switched on, and another value for each value.
 *
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { CHARTS } from './chart-files.ts'
import { runHelm, type HelmAnswer } from './helm.ts'
import type { ValueNode } from './read-values.ts'

/** Values as Helm reads them. */
export type Values = Readonly<Record<string, unknown>>

const networks = Array.from({ length: 9 }, (_, index) => `net${index}`)

/** Everything that can be on at once, by chart. */
export const everythingOn: Readonly<Record<string, Values>> = {
  'slurm-operator': {
    operator: { replicas: 2, pdb: { enabled: true } },
    webhook: { replicas: 2, pdb: { enabled: true }, podsBinding: true },
    networkPolicy: { enabled: true },
  },
  slurm: {
    accounting: { enabled: true },
    restapi: { pdb: { enabled: true } },
    controller: { metrics: { enabled: true, serviceMonitor: { enabled: true } } },
    loginsets: { one: {} },
    nodesets: { one: { slurmd: { resources: { limits: { 'nvidia.com/gpu': 1 } } } }, mega: {}, ultra: {} },
    nodesetDefaults: { partition: { enabled: true }, ssh: { enabled: true } },
    partitions: { all: { enabled: true } },
    priorityClass: { enabled: true, create: true },
    jwksKeys: { enabled: true },
    tokens: { someone: {} },
    cluster: { enabled: true },
    networkPolicy: { enabled: true },
    vendor: { nvidia: { dcgm: { enabled: true } } },
  },
}

/** Values of the chart `slurm` that do not exist, and what is told about them; `stdin` is a field of a container. */
export const misspelt = {
  values: { controler: {}, nodesets: { cpu: { image: 'x', replica: 3, slurmd: { stdin: true } } }, zzzz: 1 },
  told: [
    'controler (did you mean controller?)',
    'nodesets.cpu.image (did you mean nodesets.cpu.logfile.image or nodesets.cpu.slurmd.image?)',
    'nodesets.cpu.replica (did you mean nodesets.cpu.replicas?)',
    'zzzz',
  ],
} as const

/** What must be different for a value to matter: the beginning of its path, and values. */
export const needs: readonly { readonly path: string; readonly values: Values }[] = [
  { path: 'certManager.', values: { certManager: { enabled: true } } },
  { path: 'operator.metricsSecure', values: { operator: { metricsPort: 8080 } } },
  { path: 'webhook.metricsSecure', values: { webhook: { metricsPort: 8080 } } },
  { path: 'webhook.timeoutSeconds', values: { webhook: { mutating: { timeoutSeconds: 30 } } } },
  { path: 'imagePullPolicy', values: { operator: { imagePullPolicy: null } } },
  { path: 'controller.externalConfig', values: { controller: { external: true } } },
  { path: 'accounting.externalConfig', values: { accounting: { external: true } } },
]

/** Values of which the text cannot be guessed from their type. */
const samples: Readonly<Record<string, unknown>> = {
  imagePullSecrets: [{ name: 'registry' }],
  'operator.rbac.create': false,
  'webhook.rbac.create': false,
  'operator.namespaces': 'a,b',
  'webhook.namespaces': 'a,b',
  'operator.logLevel': 'debug',
  'webhook.logLevel': 'debug',
  'operator.image.digest': `sha256:${'1'.repeat(64)}`,
  'webhook.image.digest': `sha256:${'1'.repeat(64)}`,
  'webhook.validating.matchConditions': [{ name: 'always', expression: 'true' }],
  'webhook.mutating.matchConditions': [{ name: 'always', expression: 'true' }],
  'webhook.validating.namespaceSelector': { matchLabels: { slurm: 'yes' } },
  'certManager.duration': '100h0m0s',
  'certManager.renewBefore': '10h0m0s',
  propagatedNodeConditions: ['DiskPressure'],
  extraObjects: [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-extra', namespace: 'ns' } },
  ],
  'controller.persistence.accessModes': ['ReadWriteMany'],
  'controller.persistence.resources.requests.storage': '8Gi',
  'controller.metrics.serviceMonitor.interval': '1m',
  'controller.metrics.serviceMonitor.scrapeTimeout': '5s',
  'controller.metrics.serviceMonitor.endpoints': [{ path: '/metrics/jobs' }],
  'nodesetDefaults.updateStrategy.rollingUpdate.maxUnavailable': 2,
  'nodesetDefaults.updateStrategy.type': 'OnDelete',
  'nodesetDefaults.updateStrategy.scheduledUpdate': { startTime: '2030-01-01T00:00:00Z', duration: '1h' },
  'nodesetDefaults.persistentVolumeClaimRetentionPolicy': { whenDeleted: 'Delete' },
  'nodesetDefaults.volumeClaimTemplates': [
    {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ],
  'nodesetDefaults.extraConf': 'Weight=2',
  'nodesetDefaults.partition.config': 'State=UP',
  'partitions.all.nodesets': ['one'],
  'partitions.all.config': 'State=UP',
  'loginsetDefaults.strategy': { type: 'Recreate' },
  'loginsetDefaults.service.spec.type': 'NodePort',
  loginsets: { two: {} },
  nodesets: { two: {} },
  tokens: { somebody: { lifetime: '1h' } },
  'slurmKey.secretRef': { name: 'own', key: 'own.key' },
  'jwtKey.secretRef': { name: 'own', key: 'own.key' },
  'jwksKeys.configMapRef': { name: 'own', key: 'own.json' },
  'sssd.secretRef': { name: 'own', key: 'own.conf' },
  'networkPolicy.restapiFrom': [{ namespaceSelector: {} }],
  'vendor.google.a3mega': [{ targetNodeSet: 'mega', nodePool: 'pool', networks }],
  'vendor.google.a3ultra': [{ targetNodeSet: 'ultra', nodePool: 'pool', networks }],
  'priorityClass.value': 1000,
}

/** Values that change nothing that is rendered, and why. */
export const silent: Readonly<Record<string, string>> = {
  strict: 'refuses values, renders nothing',
  asciiArt: 'shown in the notes',
  'slurmKey.annotations': 'for Secrets of former releases, which only a server knows',
  'jwtKey.annotations': 'for Secrets of former releases, which only a server knows',
  'crds.enabled': 'the kinds of the subchart have a test of their own',
  'webhook.leaderElection': 'accepted for old values',
}

/** Another value than the one that is there, of the same kind. */
export function otherValue({ path, name, value: usual, tags }: ValueNode, base: Values): unknown {
  if (path in samples) return samples[path]
  const value = findValue(path, base) ?? usual
  if (tags.choices !== undefined) return tags.choices.find((choice) => choice !== value)
  const type = tags.types?.[0] ?? (Array.isArray(value) ? 'array' : typeof value)
  switch (type) {
    case 'boolean':
      return value !== true
    case 'integer':
    case 'number':
      return Number(value ?? 0) + 1
    case 'array':
      return listSample(name)
    case 'object':
      return mapSample(path, name)
    default:
      return typeof value === 'string' && value !== '' ? `${value}x` : 'other'
  }
}

function listSample(name: string): unknown[] {
  switch (name) {
    case 'tolerations':
      return [{ key: 'dedicated', operator: 'Exists' }]
    case 'topologySpreadConstraints':
      return [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} }]
    case 'initContainers':
      return [{ name: 'first', image: 'busybox:1' }]
    case 'env':
      return [{ name: 'A', value: 'b' }]
    case 'volumes':
      return [{ name: 'own', emptyDir: {} }]
    case 'volumeMounts':
      return [{ name: 'own', mountPath: '/own' }]
    case 'drop':
      return ['NET_RAW']
    case 'args':
      return ['-v']
    default:
      return [{ name: 'other' }]
  }
}

function mapSample(path: string, name: string): Values {
  switch (name) {
    case 'metadata':
      return { labels: { team: 'physics' }, annotations: { 'example.com/note': 'n' } }
    case 'affinity':
      return { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [] } }
    case 'resources':
      return { limits: { cpu: '1' } }
    case 'spec':
      return { type: 'NodePort' }
    default:
      return path.endsWith('Scripts') ? { 'a.sh': '#!/bin/sh\nexit 0\n' } : { Other: 'value' }
  }
}

function findValue(path: string, values: Values): unknown {
  return path.split('.').reduce<unknown>((below, name) => (isMap(below) ? below[name] : undefined), values)
}

/** One value put into a tree of values. */
export function valueAt(path: string, value: unknown): Values {
  return path.split('.').reduceRight<unknown>((below, name) => ({ [name]: below }), value) as Values
}

/** Several values together, as Helm merges files of them. */
export function mergeValues(...all: readonly Values[]): Values {
  const merged: Record<string, unknown> = {}
  for (const [name, value] of all.flatMap((values) => Object.entries(values))) {
    const old = merged[name]
    merged[name] = isMap(old) && isMap(value) ? mergeValues(old, value) : value
  }
  return merged
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Run a Helm command that takes a chart of ours and values. */
export function helmWithValues(
  helm: string,
  chart: string,
  values: Values,
  words: readonly string[],
  env: NodeJS.ProcessEnv = {},
): HelmAnswer {
  const folder = mkdtempSync(join(tmpdir(), 'values-'))
  try {
    writeFileSync(join(folder, 'values.yaml'), stringify(values, { version: '1.1' }))
    return runHelm(helm, [...words, join(CHARTS, chart), '--values', join(folder, 'values.yaml')], env)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What a chart renders without a server. */
export function renderChart(helm: string, chart: string, values: Values): HelmAnswer {
  return helmWithValues(helm, chart, values, ['template', 'rel', '--namespace', 'ns', '--kube-version', '1.36.0'])
}
