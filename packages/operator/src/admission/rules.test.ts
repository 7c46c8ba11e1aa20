/** One row per rule: what is refused, what is only mentioned, and what must stay possible. */
import type { JsonObject } from '@slurm-operator/kube'
import { silentLogger } from '@slurm-operator/runtime'
import { describe, expect, test } from 'vitest'
import { objectOf, readerOf, requestOf, type Findings, type ValidatedKind } from './gen.ts'
import { buildHooks } from './hooks.ts'

interface Row {
  readonly name: string
  readonly spec?: JsonObject
  readonly metadata?: JsonObject
  /** The spec that is stored; the object is new without one. */
  readonly before?: JsonObject
  readonly world?: Findings
  /** Beginnings of the errors, one each. */
  readonly errors?: readonly string[]
  readonly warnings?: readonly string[]
}

async function judge(kind: ValidatedKind, { spec, metadata, before, world }: Row) {
  const hooks = buildHooks({ reader: readerOf(world), log: silentLogger })
  const hook = hooks.find(({ path }) => path.endsWith(`-${kind.toLowerCase()}`))
  const request = requestOf({
    object: objectOf(kind, spec, metadata),
    ...(before !== undefined && { oldObject: objectOf(kind, before, metadata) }),
  })
  const verdict = await hook?.judge(request, AbortSignal.timeout(1000))
  return {
    errors: verdict?.allowed === false ? verdict.because.split('; ') : [],
    warnings: verdict?.warnings ?? [],
  }
}

const update = 'spec.updateStrategy'
const keyOf = (name: string, key: string, optional?: boolean) => ({
  name,
  key,
  ...(optional !== undefined && { optional }),
})
const files = (...names: string[]) => ({ configFileRefs: names.map((name) => ({ name })) })
const ha = { ha: { enabled: true }, persistence: { enabled: true, existingClaim: 'state' } }
const claimTemplate = (name: string) => ({ metadata: { name }, spec: { accessModes: ['ReadWriteOnce'] } })

const rows: Readonly<Record<ValidatedKind, readonly Row[]>> = {
  Controller: [
    { name: 'a plain one is refused' },
    {
      name: 'a chosen cluster name is too long',
      spec: { clusterName: 'x'.repeat(41) },
      errors: ['spec.clusterName is "xxx'],
    },
    { name: 'a name of 40 is refused', spec: { clusterName: 'x'.repeat(40) } },
    {
      name: 'a derived cluster name is too long',
      metadata: { name: 'x'.repeat(35) },
      errors: ['spec.clusterName is empty, and <namespace>_<name> would be'],
    },
    {
      name: 'a cluster name writes a line into slurm.conf',
      spec: { clusterName: 'a\nSlurmUser=root' },
      errors: ['spec.clusterName is "a\\nSlurmUser=root"'],
    },
    {
      name: 'a name that is too long already cannot be scaled or labelled',
      before: { clusterName: 'x'.repeat(41) },
      spec: { clusterName: 'x'.repeat(41), extraConf: 'A=b' },
      warnings: ['spec.clusterName is'],
    },
    {
      name: 'two objects that are applied together are refused',
      spec: files('late'),
      warnings: ['spec.configFileRefs[0].name names the ConfigMap "late", which does not exist'],
    },
    {
      name: 'a ConfigMap that nobody could read passes unseen',
      spec: files('secret'),
      world: { configMaps: { secret: new Error('forbidden') } },
      errors: [
        'spec.configFileRefs[0].name names the ConfigMap "secret", which could not be checked: forbidden. Try again.',
      ],
    },
    {
      name: 'files of ours are overwritten',
      spec: files('a', 'b'),
      world: { configMaps: { a: ['gres.conf', 'slurm.conf'], b: ['slurmdbd.conf'] } },
      errors: [
        'spec.configFileRefs[0].name names the ConfigMap "a", which has an entry "slurm.conf"',
        'spec.configFileRefs[1].name names the ConfigMap "b", which has an entry "slurmdbd.conf"',
      ],
    },
    {
      name: 'a misspelt file is never read and nobody says so',
      spec: files('a'),
      world: { configMaps: { a: ['topology.yaml', 'grse.conf'] } },
      warnings: ['spec.configFileRefs[0].name names the ConfigMap "a", whose entry "grse.conf"'],
    },
    { name: 'a reference without a name', spec: files(''), errors: ['spec.configFileRefs[0].name is empty'] },
    { name: 'a list that is null', spec: { configFileRefs: null } },
    {
      name: 'external addresses are ignored silently',
      spec: { service: { spec: { externalIPs: [] } } },
      warnings: ['spec.service.spec.externalIPs is ignored'],
    },
    {
      name: 'a port that is none',
      spec: { service: { port: 70_000, nodePort: -1 } },
      errors: ['spec.service.port is 70000', 'spec.service.nodePort is -1'],
    },
    {
      name: 'two slurmctld wait for a claim that only one can mount',
      spec: ha,
      world: { claims: { state: ['ReadWriteOnce'] } },
      errors: ['spec.persistence.existingClaim names the claim "state", which only one node can mount (ReadWriteOnce)'],
    },
    { name: 'a shared claim is refused', spec: ha, world: { claims: { state: ['ReadWriteOnce', 'ReadWriteMany'] } } },
    {
      name: 'a claim that comes later is refused',
      spec: ha,
      warnings: ['spec.persistence.existingClaim names the claim "state", which does not exist'],
    },
    {
      name: 'a claim that nobody could read passes unseen',
      spec: ha,
      world: { claims: { state: new Error('no answer') } },
      errors: ['spec.persistence.existingClaim names the claim "state", which could not be checked: no answer'],
    },
    {
      name: 'the claim of a single slurmctld is asked about',
      spec: { persistence: { enabled: true, existingClaim: 'x' } },
      world: { claims: { x: ['ReadWriteOnce'] } },
    },
    {
      name: 'a state that is lost with the pod',
      spec: { persistence: { enabled: false } },
      warnings: ['spec.persistence.enabled is false'],
    },
    {
      name: 'the old name of a field',
      spec: { jwtKeyRef: undefined, jwtHs256KeyRef: keyOf('jwt', 'jwt.key') },
      warnings: ['spec.jwtHs256KeyRef is the old name'],
    },
    {
      name: 'a renamed cluster loses its jobs',
      before: { clusterName: 'a' },
      spec: { clusterName: 'b' },
      errors: ['spec.clusterName cannot be changed from "a" to "b"'],
    },
    { name: 'a derived name cannot be written down', before: {}, spec: { clusterName: 'slurm_one' } },
    {
      name: 'another Secret for the Slurm key',
      before: {},
      spec: { slurmKeyRef: keyOf('other', 'slurm.key') },
      errors: ['spec.slurmKeyRef.name cannot be changed from "slurm" to "other"'],
    },
    {
      name: 'another entry for the Slurm key is refused',
      before: {},
      spec: { slurmKeyRef: keyOf('slurm', 'new.key') },
    },
    {
      name: 'another Secret for tokens',
      before: {},
      spec: { jwtKeyRef: keyOf('other', 'jwt.key') },
      errors: ['spec.jwtKeyRef cannot be changed from jwt/jwt.key to other/jwt.key'],
    },
    {
      name: 'another entry for tokens',
      before: {},
      spec: { jwtKeyRef: keyOf('jwt', 'b') },
      errors: ['spec.jwtKeyRef cannot be changed from jwt/jwt.key to jwt/b'],
    },
    {
      name: 'a key for tokens that becomes optional',
      before: {},
      spec: { jwtKeyRef: keyOf('jwt', 'jwt.key', true) },
      errors: ['spec.jwtKeyRef cannot be changed'],
    },
    { name: 'optional false is taken for a change', before: {}, spec: { jwtKeyRef: keyOf('jwt', 'jwt.key', false) } },
    {
      name: 'the same key cannot move to the new field',
      before: { jwtKeyRef: undefined, jwtHs256KeyRef: keyOf('jwt', 'jwt.key') },
      spec: {},
    },
    {
      name: 'persistence is switched off on a living cluster',
      before: {},
      spec: { persistence: { enabled: false } },
      errors: ['spec.persistence.enabled cannot be changed from true to false'],
      warnings: ['spec.persistence.enabled is false'],
    },
    { name: 'the default cannot be written down', before: {}, spec: { persistence: { enabled: true } } },
    {
      name: 'another claim',
      before: { persistence: { enabled: true, existingClaim: 'a' } },
      spec: { persistence: { enabled: true, existingClaim: 'b' } },
      errors: ['spec.persistence.existingClaim cannot be changed from "a" to "b"'],
    },
    {
      name: 'a claim of a cluster without persistence cannot change',
      before: { persistence: { enabled: false, existingClaim: 'a' } },
      spec: { persistence: { enabled: false, existingClaim: 'b' } },
      warnings: ['spec.persistence.enabled is false'],
    },
    {
      name: 'slurmctld is deleted without a word',
      before: {},
      spec: { external: true, externalConfig: { host: 'h', port: 6817 } },
      warnings: ['spec.external is true now'],
    },
  ],
  Accounting: [
    { name: 'a plain one is refused' },
    {
      name: 'external addresses are ignored silently',
      spec: { service: { spec: { externalIPs: ['1.2.3.4'] } } },
      warnings: ['spec.service.spec.externalIPs is ignored'],
    },
    {
      name: 'slurmdbd starts without a database',
      spec: { storageConfig: undefined },
      errors: ['spec.storageConfig is missing'],
    },
    {
      name: 'a slurmdbd elsewhere needs a database here',
      spec: { storageConfig: undefined, external: true, externalConfig: { host: 'h', port: 6819 } },
    },
    {
      name: 'another Secret for tokens',
      before: {},
      spec: { jwtKeyRef: keyOf('other', 'jwt.key') },
      errors: ['spec.jwtKeyRef cannot be changed'],
    },
    {
      name: 'slurmdbd is deleted without a word',
      before: {},
      spec: { external: true },
      warnings: ['spec.external is true now'],
    },
  ],
  RestApi: [
    { name: 'a plain one is refused' },
    { name: 'no Controller', spec: { controllerRef: { name: '' } }, errors: ['spec.controllerRef.name is empty'] },
    { name: 'fewer than no replicas', spec: { replicas: -1 }, errors: ['spec.replicas is -1'] },
    {
      name: 'external addresses are ignored silently',
      spec: { service: { spec: { externalIPs: [] } } },
      warnings: ['spec.service.spec.externalIPs'],
    },
    { name: 'it cannot move to another Controller', before: {}, spec: { controllerRef: { name: 'b' } } },
  ],
  LoginSet: [
    { name: 'a plain one is refused' },
    { name: 'no Controller', spec: { controllerRef: {} }, errors: ['spec.controllerRef.name is empty'] },
    { name: 'no sssd.conf', spec: { sssdConfRef: { name: '', key: 'a' } }, errors: ['spec.sssdConfRef.name is empty'] },
    { name: 'fewer than no replicas', spec: { replicas: -3 }, errors: ['spec.replicas is -3'] },
    {
      name: 'external addresses are ignored silently',
      spec: { service: { spec: { externalIPs: [] } } },
      warnings: ['spec.service.spec.externalIPs'],
    },
    {
      name: 'it moves to another Controller',
      before: {},
      spec: { controllerRef: { name: 'b' } },
      errors: ['spec.controllerRef.name cannot be changed from "slurm" to "b"'],
    },
  ],
  NodeSet: [
    { name: 'a plain one is refused' },
    { name: 'no Controller', spec: { controllerRef: { name: '' } }, errors: ['spec.controllerRef.name is empty'] },
    ...[0, -1, '0%', '00%'].map((maxUnavailable) => ({
      name: `an update with maxUnavailable ${maxUnavailable} never ends`,
      spec: { updateStrategy: { rollingUpdate: { maxUnavailable } } },
      errors: [`${update}.rollingUpdate.maxUnavailable is ${maxUnavailable}`],
    })),
    ...['-5%', 'abc', '0', '3', '5 %'].map((maxUnavailable) => ({
      name: `maxUnavailable ${JSON.stringify(maxUnavailable)} means nothing`,
      spec: { updateStrategy: { rollingUpdate: { maxUnavailable } } },
      errors: [`${update}.rollingUpdate.maxUnavailable is the text ${JSON.stringify(maxUnavailable)}`],
    })),
    {
      name: 'all workers are drained at once',
      spec: { updateStrategy: { rollingUpdate: { maxUnavailable: '100%' } } },
      warnings: [`${update}.rollingUpdate.maxUnavailable is 100%`],
    },
    { name: 'one worker at a time is refused', spec: { updateStrategy: { rollingUpdate: { maxUnavailable: 1 } } } },
    {
      name: 'a window shorter than a minute',
      spec: {
        updateStrategy: {
          type: 'ScheduledUpdate',
          scheduledUpdate: { startTime: '2030-01-01T00:00:00Z', duration: '30s' },
        },
      },
      errors: [`${update}.scheduledUpdate.duration is 30s`],
    },
    {
      name: 'a window that is no duration',
      spec: { updateStrategy: { scheduledUpdate: { duration: 'soon' } } },
      errors: [`${update}.scheduledUpdate.duration is "soon", which is no duration`],
    },
    {
      name: 'a duration of nothing, which nobody uses, is refused',
      spec: { updateStrategy: { type: 'RollingUpdate', scheduledUpdate: { duration: '0s' } } },
    },
    {
      name: 'a misspelt flag',
      spec: { updateStrategy: { scheduledUpdate: { flags: ['daily', 'WEEKLI'] } } },
      warnings: [`${update}.scheduledUpdate.flags[1] is "WEEKLI"`],
    },
    {
      name: 'people cannot log in',
      spec: { ssh: { enabled: true, sssdConfRef: { name: '', key: 'a' } } },
      errors: ['spec.ssh.sssdConfRef.name is empty'],
    },
    { name: 'ssh that is off needs a Secret', spec: { ssh: { enabled: false } } },
    ...['foo\n', ' ', 'Foo-', 'foo.bar', 'foo_', 'x'.repeat(63)].map((hostname) => ({
      name: `Kubernetes refuses every pod with the hostname ${JSON.stringify(hostname).slice(0, 20)}`,
      spec: { template: { spec: { hostname } } },
      errors: ['spec.template.spec.hostname would give a worker the host name'],
    })),
    { name: 'a hostname that ends with a dash is refused', spec: { template: { spec: { hostname: 'foo-' } } } },
    {
      name: 'a name that leaves no room for the number',
      metadata: { name: 'x'.repeat(62) },
      errors: ['metadata.name would give a worker the host name'],
    },
    {
      name: 'a name with dots',
      metadata: { name: 'a.b' },
      errors: ['metadata.name would give a worker the host name "a.b-0"'],
    },
    {
      name: 'a name that has room for 10 workers but not for 11',
      metadata: { name: 'x'.repeat(61) },
      before: { replicas: 10 },
      spec: { replicas: 11 },
      errors: ['metadata.name would give'],
    },
    {
      name: 'the name of a DaemonSet, whose workers are named after Kube nodes, is refused',
      metadata: { name: 'x'.repeat(63) },
      spec: { scalingMode: 'DaemonSet' },
    },
    {
      name: 'two NodeSets are the same Slurm nodes',
      spec: { template: { spec: { hostname: 'two-' } } },
      world: { nodeSets: [objectOf('NodeSet', {}, { name: 'two' })] },
      errors: [
        'spec.template.spec.hostname would give a worker the host name "two-0", which NodeSet "two" uses already',
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
      name: 'a word that is no pair',
      spec: { extraConf: 'Feature=a Weight10' },
      errors: ['spec.extraConf has the word "Weight10"'],
    },
    { name: 'a pair without a key', spec: { extraConf: '=5' }, errors: ['spec.extraConf has the word "=5"'] },
    ...["A='x'", 'A="x"', 'A=$HOME', 'A=`id`', 'A=b\\', 'A=\u0007'].map((extraConf) => ({
      name: `${JSON.stringify(extraConf)} reaches a shell`,
      spec: { extraConf },
      errors: ['spec.extraConf has the word'],
    })),
    { name: 'pairs are refused', spec: { extraConf: ' Feature=a,b  Weight=5\nGres=gpu:1 ' } },
    {
      name: 'fewer than nothing',
      spec: { replicas: -1, minReadySeconds: -2, revisionHistoryLimit: -3, ordinalPadding: -4 },
      errors: [
        'spec.replicas is -1',
        'spec.minReadySeconds is -2',
        'spec.revisionHistoryLimit is -3',
        'spec.ordinalPadding is -4',
      ],
    },
    {
      name: 'a volume that nobody mounts',
      spec: {
        volumeClaimTemplates: [claimTemplate('data'), claimTemplate('scratch')],
        slurmd: { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
      },
      warnings: ['spec.volumeClaimTemplates[1] makes a volume scratch that no container mounts'],
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
        'spec.volumeClaimTemplates[0].metadata.name is missing',
        'spec.volumeClaimTemplates[1].metadata.name is missing',
      ],
    },
    {
      name: 'claims that are no list',
      spec: { volumeClaimTemplates: { a: 1 } },
      errors: ['spec.volumeClaimTemplates is no list'],
    },
    {
      name: 'a pin that does nothing',
      spec: { scalingMode: 'DaemonSet', pinToNode: true },
      warnings: ['spec.pinToNode has no effect'],
    },
    {
      name: 'a pruning that does nothing',
      spec: { pruneSlurmNodeRecords: 'NodeNotFound' },
      warnings: ['spec.pruneSlurmNodeRecords has no effect'],
    },
    {
      name: 'jobs without protection',
      spec: { workloadDisruptionProtection: false },
      warnings: ['spec.workloadDisruptionProtection is false'],
    },
    {
      name: 'it moves to another Controller',
      before: {},
      spec: { controllerRef: { name: 'b' } },
      errors: ['spec.controllerRef.name cannot be changed from "slurm" to "b"'],
    },
    {
      name: 'other claims',
      before: {},
      spec: {
        volumeClaimTemplates: [claimTemplate('data')],
        slurmd: { volumeMounts: [{ name: 'data', mountPath: '/d' }] },
      },
      errors: ['spec.volumeClaimTemplates cannot be changed'],
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
      warnings: ['spec.scalingMode changes from StatefulSet to DaemonSet'],
    },
    {
      name: 'all workers are renamed without a word',
      before: { ordinalPadding: 0 },
      spec: { ordinalPadding: 3, template: { spec: { hostname: 'w' } } },
      warnings: ['spec.template.spec.hostname changes from "one-" to "w"', 'spec.ordinalPadding changes from 0 to 3'],
    },
    { name: 'more workers are refused', before: { replicas: 1 }, spec: { replicas: 2 } },
    {
      name: 'what the reference let pass cannot be scaled any more',
      before: { extraConf: 'A="b"', replicas: 1 },
      spec: { extraConf: 'A="b"', replicas: 2 },
      warnings: ['spec.extraConf has the word'],
    },
    {
      name: 'only the first of two mistakes is told',
      spec: { extraConf: 'x', minReadySeconds: -1 },
      errors: ['spec.minReadySeconds', 'spec.extraConf'],
    },
  ],
  Token: [
    { name: 'a plain one is refused' },
    {
      name: 'another signing key',
      before: {},
      spec: { jwtKeyRef: keyOf('other', 'jwt.key') },
      errors: ['spec.jwtKeyRef cannot be changed'],
    },
    { name: 'a token that is over at once', spec: { lifetime: '0s' }, errors: ['spec.lifetime is 0s'] },
    {
      name: 'a lifetime that is no duration',
      spec: { lifetime: 'long' },
      errors: ['spec.lifetime is "long", which is no duration'],
    },
    { name: 'a token that is renewed all the time', spec: { lifetime: '20s' }, warnings: ['spec.lifetime is 20s'] },
    {
      name: 'the token overwrites the key it is signed with',
      spec: { secretRef: keyOf('jwt', 'x') },
      errors: ['spec.secretRef.name is "jwt", the Secret with the signing key itself'],
    },
    { name: 'a user with capital letters is refused', spec: { username: 'Alice_B' } },
  ],
}

for (const [kind, cases] of Object.entries(rows) as [ValidatedKind, readonly Row[]][]) {
  describe(`admission of a ${kind} prevents that`, () => {
    for (const row of cases) {
      test(row.name, async () => {
        const { errors, warnings } = await judge(kind, row)
        expect(beginnings(errors, row.errors)).toEqual(row.errors ?? [])
        expect(beginnings(warnings, row.warnings)).toEqual(row.warnings ?? [])
      })
    }
  })
}

/** What was said, cut to the length of what was expected, so that a difference can be read. */
function beginnings(said: readonly string[], expected: readonly string[] = []): string[] {
  return said.map((text, index) => text.slice(0, expected[index]?.length ?? text.length))
}
