/**
 * Random histories of edits, as people and pipelines make them: all kinds, most fields, good values and bad ones.
 *
 * @module
 */
import fc from 'fast-check'
import type { JsonObject } from '@slurm-operator/kube'

/** One edit: a merge patch of the spec, or of the labels and annotations. */
export interface Edit {
  readonly kind: EditedKind
  readonly patch: JsonObject
}

/** The kinds of the small cluster below, one object each. */
export type EditedKind = 'Controller' | 'Accounting' | 'RestApi' | 'LoginSet' | 'NodeSet' | 'Token'

/** Where the objects of a kind are, and what they are called. */
export const edited: Readonly<Record<EditedKind, { readonly plural: string; readonly name: string }>> = {
  Controller: { plural: 'controllers', name: 'slurm' },
  Accounting: { plural: 'accountings', name: 'acct' },
  RestApi: { plural: 'restapis', name: 'web' },
  LoginSet: { plural: 'loginsets', name: 'front' },
  NodeSet: { plural: 'nodesets', name: 'gpu' },
  Token: { plural: 'tokens', name: 'alice' },
}

const key = { name: 'keys', key: 'key' }
const image = (name: string) => ({ image: `registry.example.com/${name}:1` })

/** What there is before the first edit. */
export const firstSpecs: Readonly<Record<EditedKind, JsonObject>> = {
  Controller: {
    ...{ slurmKeyRef: key, jwtKeyRef: key, slurmctld: image('slurmctld'), logfile: image('shell') },
    reconfigure: image('slurmctld'),
    persistence: { enabled: true, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  Accounting: {
    ...{ slurmKeyRef: key, jwtKeyRef: key, slurmdbd: image('slurmdbd') },
    storageConfig: { host: 'mariadb', passwordKeyRef: key },
  },
  RestApi: { controllerRef: { name: 'slurm' }, slurmrestd: image('slurmrestd') },
  LoginSet: {
    ...{ controllerRef: { name: 'slurm' }, login: image('login'), initconf: image('shell') },
    sssdConfRef: key,
  },
  NodeSet: { controllerRef: { name: 'slurm' }, slurmd: image('slurmd'), logfile: image('shell'), replicas: 1 },
  Token: { username: 'alice', jwtKeyRef: key, lifetime: '1h' },
}

/** Pod templates as people write them; the last ones are wrong. */
const templates: readonly JsonObject[] = [
  {},
  { metadata: { labels: { team: 'a' }, annotations: { note: 'x' } } },
  { spec: { nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'gpu', operator: 'Exists' }] } },
  { spec: { priorityClassName: 'high', terminationGracePeriodSeconds: 0, automountServiceAccountToken: true } },
  { spec: { volumes: [{ name: 'scratch', emptyDir: {} }], containers: [{ name: 'side', image: 'x' }] } },
  { spec: { securityContext: { runAsNonRoot: false }, hostAliases: [{ ip: '10.0.0.1', hostnames: ['a'] }] } },
  { spec: { imagePullPolcy: 'Always' } },
  { spec: { terminationGracePeriodSeconds: 'soon' } },
]

const containers: readonly JsonObject[] = [
  { image: 'registry.example.com/other:2' },
  {
    image: 'x',
    args: ['-v'],
    env: [{ name: 'A', value: '1' }],
    resources: { limits: { cpu: '1500m', memory: '1Gi' } },
  },
  { image: 'x', livenessProbe: { periodSeconds: 30 }, securityContext: { privileged: false } },
  { image: 5 },
]

const services: readonly JsonObject[] = [
  {},
  { port: 7000 },
  { spec: { type: 'NodePort' }, metadata: { annotations: { lb: 'x' } } },
  { spec: { ports: [{ name: 'more', port: 9 }], externalIPs: ['1.2.3.4'] } },
  { spec: { ports: [{ name: 'clash', port: 6817 }] }, port: 6817 },
]

/** Values of the fields that are worth an edit. */
const fields: Readonly<Record<EditedKind, Readonly<Record<string, readonly unknown[]>>>> = {
  Controller: {
    ...{ template: templates, slurmctld: containers, logfile: containers, service: services },
    extraConf: [
      '',
      'MinJobAge=5',
      'SlurmctldParameters=idle_on_node_suspend',
      'no value',
      'PartitionName=x Nodes=nobody',
    ],
    accountingRef: [null, { name: 'acct' }, { name: 'nobody' }],
    configFileRefs: [null, [{ name: 'files' }], [{ name: 'missing' }]],
    prologScriptRefs: [null, [{ name: 'scripts' }]],
    inplaceReconfigure: [true, false],
    metrics: [null, { enabled: true }],
    external: [false, true],
    externalConfig: [{ host: 'ctl.example.com', port: 6817 }],
  },
  Accounting: {
    ...{ template: templates, slurmdbd: containers, service: services },
    extraConf: ['', 'PurgeJobAfter=1month'],
    storageConfig: [
      { host: 'db', port: 3307, passwordKeyRef: key },
      { host: 'db', passwordKeyRef: { name: 'no', key: 'k' } },
    ],
  },
  RestApi: {
    ...{ template: templates, slurmrestd: containers, service: services },
    replicas: [0, 1, 2],
    controllerRef: [{ name: 'slurm' }, { name: 'nobody' }],
  },
  LoginSet: {
    ...{ template: templates, login: containers, service: services },
    replicas: [0, 1, 3],
    rootSshAuthorizedKeys: ['', 'ssh-ed25519 AAAA root'],
    extraSshdConfig: ['', 'MaxAuthTries 2'],
    strategy: [null, { type: 'Recreate', rollingUpdate: null }, { type: 'RollingUpdate' }],
  },
  NodeSet: {
    ...{ template: templates, slurmd: containers, logfile: containers },
    replicas: [0, 1, 2],
    extraConf: ['', 'Weight=10', 'nonsense'],
    partition: [{ enabled: true, config: 'State=UP' }, { enabled: false }],
    ordinalPadding: [0, 2],
    oversubscribeNode: [true, false],
    ssh: [null, { enabled: true, sssdConfRef: key }],
  },
  Token: {
    username: ['alice', 'bob'],
    lifetime: ['1h', '2h'],
    refresh: [true, false],
    secretRef: [null, { name: 'out', key: 'K' }],
  },
}

const anyKind = fc.constantFrom(...(Object.keys(edited) as EditedKind[]))

const anySpecEdit: fc.Arbitrary<Edit> = anyKind.chain((kind) => {
  const entries = Object.entries(fields[kind])
  const pairs = entries.flatMap(([name, values]) => values.map((value) => ({ [name]: value }) as JsonObject))
  return fc.constantFrom(...pairs).map((spec): Edit => ({ kind, patch: { spec } }))
})

const anyMetadataEdit: fc.Arbitrary<Edit> = fc.record({
  kind: anyKind,
  patch: fc.constantFrom<JsonObject>(
    { metadata: { labels: { team: 'b' } } },
    { metadata: { labels: { team: null } } },
    { metadata: { annotations: { 'argocd.argoproj.io/tracking-id': 'x', owner: 'me' } } },
    { metadata: { annotations: { owner: null } } },
  ),
})

/** A merge patch only adds to what is in a container: first it must go. */
const cleared: readonly Edit[] = [
  { kind: 'Controller', patch: { spec: { slurmctld: null, logfile: null } } },
  { kind: 'Accounting', patch: { spec: { slurmdbd: null } } },
  { kind: 'RestApi', patch: { spec: { slurmrestd: null } } },
  { kind: 'LoginSet', patch: { spec: { login: null } } },
  { kind: 'NodeSet', patch: { spec: { slurmd: null, logfile: null } } },
]

/** What makes every spec sound again: after it nothing may be left of what was wrong. */
export const cures: readonly Edit[] = [
  ...cleared,
  {
    kind: 'Controller',
    patch: {
      spec: {
        ...{ template: null, slurmctld: image('slurmctld'), logfile: image('shell'), service: null, extraConf: '' },
        ...{ configFileRefs: null, accountingRef: null, external: false, externalConfig: null },
      },
    },
  },
  {
    kind: 'Accounting',
    patch: {
      spec: {
        ...{ template: null, slurmdbd: image('slurmdbd'), service: null },
        storageConfig: { host: 'mariadb', passwordKeyRef: key },
      },
    },
  },
  {
    kind: 'RestApi',
    patch: {
      spec: { template: null, slurmrestd: image('slurmrestd'), service: null, controllerRef: { name: 'slurm' } },
    },
  },
  { kind: 'LoginSet', patch: { spec: { template: null, login: image('login'), service: null } } },
  {
    kind: 'NodeSet',
    patch: { spec: { template: null, slurmd: image('slurmd'), logfile: image('shell'), extraConf: '' } },
  },
]

/** What may happen next. */
export type Happening = Edit | 'kill the operator'

/** A history. */
export const anyHistory: fc.Arbitrary<readonly Happening[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: anySpecEdit },
    { weight: 2, arbitrary: anyMetadataEdit },
    { weight: 1, arbitrary: fc.constant('kill the operator' as const) },
  ),
  { minLength: 5, maxLength: 14 },
)
