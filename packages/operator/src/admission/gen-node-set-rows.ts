/**
 * One row per rule of NodeSets: what is refused, what is only mentioned, and what must stay possible.
 *
 * @module
 */
import { annotationKeys } from '@slurm-operator/api'
import { objectOf, type Row } from './gen.ts'

const update = 'spec.updateStrategy'
const unprivileged = { securityContext: { privileged: false } }
const alike = { resources: { limits: { cpu: 1, memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } } }
const limited = { resources: { limits: { cpu: '100m', memory: '64Mi' } } }
const claimTemplate = (name: string) => ({ metadata: { name }, spec: { accessModes: ['ReadWriteOnce'] } })

/** Of NodeSets. */
export const nodeSetRows: readonly Row[] = [
  { name: 'a plain one is refused' },
  {
    name: 'NS-033: no Controller',
    spec: { controllerRef: { name: '' } },
    errors: ['spec.controllerRef.name: it is empty'],
  },
  ...(
    [
      ['NS-034', 0],
      ['NS-034', -1],
      ['NS-035', '0%'],
      ['NS-036', '00%'],
    ] as const
  ).map(([id, maxUnavailable]) => ({
    name: `${id}: an update with maxUnavailable ${maxUnavailable} never ends`,
    spec: { updateStrategy: { rollingUpdate: { maxUnavailable } } },
    errors: [`${update}.rollingUpdate.maxUnavailable: it is ${maxUnavailable}`],
  })),
  ...['-5%', 'abc', '0', '3', '5 %'].map((maxUnavailable) => ({
    name: `NS-036: maxUnavailable ${JSON.stringify(maxUnavailable)} means nothing`,
    spec: { updateStrategy: { rollingUpdate: { maxUnavailable } } },
    errors: [`${update}.rollingUpdate.maxUnavailable: it is the text ${JSON.stringify(maxUnavailable)}`],
  })),
  {
    name: 'all workers are drained at once',
    spec: { updateStrategy: { rollingUpdate: { maxUnavailable: '100%' } } },
    warnings: [`${update}.rollingUpdate.maxUnavailable: it is 100%`],
  },
  { name: 'one worker at a time is refused', spec: { updateStrategy: { rollingUpdate: { maxUnavailable: 1 } } } },
  {
    name: 'NS-039: a window shorter than a minute',
    spec: {
      updateStrategy: {
        type: 'ScheduledUpdate',
        scheduledUpdate: { startTime: '2030-01-01T00:00:00Z', duration: '30s' },
      },
    },
    errors: [`${update}.scheduledUpdate.duration: it is 30s`],
  },
  {
    name: 'a window that is no duration',
    spec: { updateStrategy: { scheduledUpdate: { duration: 'soon' } } },
    errors: [`${update}.scheduledUpdate.duration: it is "soon", which is no duration`],
  },
  {
    name: 'NS-040: a duration of nothing, which nobody uses, is refused',
    spec: { updateStrategy: { type: 'RollingUpdate', scheduledUpdate: { duration: '0s' } } },
  },
  {
    name: 'a misspelt flag',
    spec: { updateStrategy: { scheduledUpdate: { flags: ['daily', 'WEEKLI'] } } },
    warnings: [`${update}.scheduledUpdate.flags[1]: it is "WEEKLI"`],
  },
  {
    name: 'NS-041: people cannot log in',
    spec: { ssh: { enabled: true, sssdConfRef: { name: '', key: 'a' } } },
    errors: ['spec.ssh.sssdConfRef.name: it is empty'],
  },
  { name: 'ssh that is off needs a Secret', spec: { ssh: { enabled: false } } },
  ...['foo\n', ' ', 'Foo-', 'foo.bar', 'foo_', 'x'.repeat(63)].map((hostname) => ({
    name: `NS-043: Kubernetes refuses every pod with the hostname ${JSON.stringify(hostname).slice(0, 20)}`,
    spec: { template: { spec: { hostname } } },
    errors: ['spec.template.spec.hostname: it would give a worker the host name'],
  })),
  { name: 'NS-042: a hostname that ends with a dash is refused', spec: { template: { spec: { hostname: 'foo-' } } } },
  {
    name: 'NS-051: a name that leaves no room for the number',
    metadata: { name: 'x'.repeat(62) },
    errors: ['metadata.name: it would give a worker the host name'],
  },
  {
    name: 'a name with dots',
    metadata: { name: 'a.b' },
    errors: ['metadata.name: it would give a worker the host name "a.b-0"'],
  },
  {
    name: 'a name that has room for 10 workers but not for 11',
    metadata: { name: 'x'.repeat(61) },
    before: { replicas: 10 },
    spec: { replicas: 11 },
    errors: ['metadata.name: it would give'],
  },
  {
    name: 'the name of a DaemonSet, whose workers are named after Kube nodes, is refused',
    metadata: { name: 'x'.repeat(57) },
    spec: { scalingMode: 'DaemonSet' },
  },
  {
    name: 'two NodeSets are the same Slurm nodes',
    spec: { template: { spec: { hostname: 'two-' } } },
    world: { nodeSets: [objectOf('NodeSet', {}, { name: 'two' })] },
    errors: [
      'spec.template.spec.hostname: it would give a worker the host name "two-0", which NodeSet "two" uses already',
    ],
  },
  {
    name: 'NodeSets of two Slurm clusters cannot have the same names',
    spec: { template: { spec: { hostname: 'two-' } } },
    world: { nodeSets: [objectOf('NodeSet', { controllerRef: { name: 'other' } }, { name: 'two' })] },
  },
  {
    name: 'a NodeSet is its own rival',
    before: {},
    spec: { replicas: 3 },
    world: { nodeSets: [objectOf('NodeSet')] },
  },
  { name: 'nothing can be made while NodeSets cannot be listed', world: { nodeSets: new Error('forbidden') } },
  {
    name: 'NS-044: a word that is no pair',
    spec: { extraConf: 'Feature=a Weight10' },
    errors: ['spec.extraConf: it has the word "Weight10"'],
  },
  { name: 'a pair without a key', spec: { extraConf: '=5' }, errors: ['spec.extraConf: it has the word "=5"'] },
  ...["A='x'", 'A="x"', 'A=$HOME', 'A=`id`', 'A=b\\', 'A=\u0007'].map((extraConf) => ({
    name: `${JSON.stringify(extraConf)} reaches a shell`,
    spec: { extraConf },
    errors: ['spec.extraConf: it has the word'],
  })),
  { name: 'NS-045: pairs are refused', spec: { extraConf: ' Feature=a,b  Weight=5\nGres=gpu:1 ' } },
  {
    name: 'NS-037: fewer than nothing',
    spec: { replicas: -1, minReadySeconds: -2, revisionHistoryLimit: -3, ordinalPadding: -4 },
    errors: [
      'spec.replicas: it is -1',
      'spec.minReadySeconds: it is -2',
      'spec.revisionHistoryLimit: it is -3',
      'spec.ordinalPadding: it is -4',
    ],
  },
  {
    name: 'a volume that nobody mounts',
    spec: {
      volumeClaimTemplates: [claimTemplate('data'), claimTemplate('scratch')],
      slurmd: { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    },
    warnings: ['spec.volumeClaimTemplates[1]: it makes a volume scratch that no container mounts'],
  },
  {
    name: 'a volume that a sidecar mounts',
    spec: {
      volumeClaimTemplates: [claimTemplate('data')],
      template: { spec: { containers: [{ name: 'side', volumeMounts: [{ name: 'data', mountPath: '/data' }] }] } },
    },
  },
  {
    name: 'a claim without a name',
    spec: { volumeClaimTemplates: [{ spec: {} }, 5] },
    errors: [
      'spec.volumeClaimTemplates[0].metadata.name: it is missing',
      'spec.volumeClaimTemplates[1]: it must be an object',
    ],
  },
  {
    name: 'claims that are no list',
    spec: { volumeClaimTemplates: { a: 1 } },
    errors: ['spec.volumeClaimTemplates: it is no list'],
  },
  {
    name: 'a pin that does nothing',
    spec: { scalingMode: 'DaemonSet', pinToNode: true },
    warnings: ['spec.pinToNode: it has no effect'],
  },
  {
    name: 'WP-45: pruning in StatefulSet mode is called useless',
    spec: { pruneSlurmNodeRecords: 'NodeNotFound' },
  },
  {
    name: 'jobs without protection',
    spec: { workloadDisruptionProtection: false },
    warnings: ['spec.workloadDisruptionProtection: it is false'],
  },
  {
    name: 'jobs without protection, which somebody wanted for idle workers too',
    metadata: { annotations: { [annotationKeys.protectUntilDrained]: 'true' } },
    spec: { workloadDisruptionProtection: false },
    warnings: [
      'spec.workloadDisruptionProtection: it is false',
      `metadata.annotations[${annotationKeys.protectUntilDrained}]: it has no effect`,
    ],
  },
  ...[annotationKeys.drainOnDelete, annotationKeys.protectUntilDrained].flatMap((key) => [
    ...['True', 'yes', ''].map((value) => ({
      name: `a switch that is silently off: ${key} ${JSON.stringify(value)}`,
      metadata: { annotations: { [key]: value } },
      warnings: [`metadata.annotations[${key}]: it is ${JSON.stringify(value)}, which means false`],
    })),
    ...['true', 'false'].map((value) => ({
      name: `a sound switch is mentioned: ${key} ${value}`,
      metadata: { annotations: { [key]: value } },
    })),
  ]),
  ...[
    { name: 'nothing is said of its memory', spec: { slurmd: unprivileged } },
    { name: 'its log container has no limits', spec: { slurmd: { ...unprivileged, ...alike } } },
    {
      name: 'it may use more than it asks for',
      spec: {
        slurmd: { ...unprivileged, resources: { ...limited.resources, requests: { memory: '32Mi' } } },
        logfile: limited,
      },
    },
    {
      name: 'a container of its user has no limits',
      spec: {
        slurmd: { ...unprivileged, ...alike },
        logfile: limited,
        template: { spec: { containers: [{ name: 'x' }] } },
      },
    },
    {
      name: 'the whole pod may use more than it asks for',
      spec: {
        slurmd: { ...unprivileged, ...alike },
        logfile: limited,
        template: { spec: { resources: { limits: { cpu: 1, memory: '2Gi' }, requests: { memory: '1Gi' } } } },
      },
    },
  ].map(({ name, spec }) => ({
    name: `a job without memory ends slurmstepd and runs for ever: ${name}`,
    spec,
    warnings: ['spec.slurmd.securityContext.privileged: it is false'],
  })),
  {
    name: 'an unprivileged worker that has its memory for itself',
    spec: { slurmd: { ...unprivileged, ...alike }, logfile: limited },
  },
  {
    name: 'an unprivileged worker that has its memory for itself, and more for slurmd in the template',
    spec: {
      slurmd: { ...unprivileged, ...alike },
      logfile: limited,
      template: { spec: { containers: [{ name: 'slurmd', tty: true }] } },
    },
  },
  {
    name: 'an unprivileged worker in a pod that has its memory for itself',
    spec: { slurmd: unprivileged, template: { spec: { resources: limited.resources } } },
  },
  ...['SYS_RESOURCE', 'CAP_SYS_RESOURCE', 'ALL'].map((capability) => ({
    name: `an unprivileged slurmd that may protect its own: ${capability}`,
    spec: { slurmd: { securityContext: { privileged: false, capabilities: { add: [capability] } } } },
  })),
  {
    name: 'NS-047: it moves to another Controller',
    before: {},
    spec: { controllerRef: { name: 'b' } },
    errors: ['spec.controllerRef.name: it cannot be changed from "slurm" to "b"'],
  },
  {
    name: 'NS-048: other claims',
    before: {},
    spec: {
      volumeClaimTemplates: [claimTemplate('data')],
      slurmd: { volumeMounts: [{ name: 'data', mountPath: '/d' }] },
    },
    errors: ['spec.volumeClaimTemplates: it cannot be changed'],
  },
  {
    name: 'no claims, written in another way',
    before: { volumeClaimTemplates: null },
    spec: { volumeClaimTemplates: [] },
  },
  {
    name: 'all workers are replaced without a word',
    before: {},
    spec: { scalingMode: 'DaemonSet' },
    warnings: ['spec.scalingMode: it changes from StatefulSet to DaemonSet'],
  },
  {
    name: 'all workers are renamed without a word',
    before: { ordinalPadding: 0 },
    spec: { ordinalPadding: 3, template: { spec: { hostname: 'w' } } },
    warnings: [
      'spec.template.spec.hostname: it changes from "one-" to "w"',
      'spec.ordinalPadding: it changes from 0 to 3',
    ],
  },
  { name: 'NS-049: more workers are refused', before: { replicas: 1 }, spec: { replicas: 2 } },
  {
    name: 'what the reference let pass cannot be scaled any more',
    before: { extraConf: 'A="b"', replicas: 1 },
    spec: { extraConf: 'A="b"', replicas: 2 },
    warnings: ['spec.extraConf: it has the word'],
  },
  {
    name: 'NS-046: only the first of two mistakes is told',
    spec: { extraConf: 'x', minReadySeconds: -1 },
    errors: ['spec.minReadySeconds', 'spec.extraConf'],
  },
]
