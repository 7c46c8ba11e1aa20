/**
 * Test data: objects at both sides of every rule that the server checks.
 *
 * @module
 */
import type { OurKind } from '../kinds/all.ts'

/** One object and what must become of it. */
interface Row {
  readonly kind: OurKind
  /** The accident, or what is special. */
  readonly why: string
  readonly name?: string
  readonly spec: unknown
}

const key = { name: 'keys', key: 'k' }
const keys = { slurmKeyRef: key, jwtKeyRef: key }
const storageConfig = { host: 'db', passwordKeyRef: key }
const controllerRef = { name: 'slurm' }
const login = { controllerRef, sssdConfRef: key }
const token = { jwtKeyRef: key, username: 'root' }
const address = { server: 'http://slurm:6820', token: { secretRef: { name: 'jwt' } } }
const claim = { enabled: true, existingClaim: 'shared' }
const strategy = (updateStrategy: unknown) => ({ controllerRef, updateStrategy })
const scheduled = (scheduledUpdate: unknown) => strategy({ type: 'ScheduledUpdate', scheduledUpdate })
const startTime = '2099-01-01T00:00:00Z'

/** What the server must refuse, and a part of what it must say. */
export const refused: readonly (Row & { readonly says: RegExp })[] = [
  { kind: 'Controller', why: 'no spec at all', spec: undefined, says: /spec: Required/ },
  { kind: 'Controller', why: 'no slurm key', spec: { jwtKeyRef: key }, says: /slurmKeyRef is missing/ },
  { kind: 'Controller', why: 'no JWT key', spec: { slurmKeyRef: key }, says: /jwtKeyRef is missing/ },
  { kind: 'Controller', why: 'external, and nobody knows where', spec: { external: true }, says: /externalConfig is/ },
  {
    kind: 'Controller',
    why: 'two slurmctld and two states',
    spec: { ...keys, ha: { enabled: true } },
    says: /ha needs/,
  },
  {
    kind: 'Controller',
    why: 'two slurmctld and a claim without a name',
    spec: { ...keys, ha: { enabled: true }, persistence: { ...claim, existingClaim: '' } },
    says: /ha needs/,
  },
  {
    kind: 'Controller',
    why: 'a line smuggled into slurm.conf by the cluster name',
    spec: { ...keys, clusterName: 'a\nSlurmUser=root' },
    says: /clusterName/,
  },
  {
    kind: 'Controller',
    why: 'a cluster name too long for Slurm',
    spec: { ...keys, clusterName: 'a'.repeat(41) },
    says: /40/,
  },
  { kind: 'Controller', why: 'a name too long for its pods', name: 'c'.repeat(42), spec: keys, says: /at most 41/ },
  {
    kind: 'Controller',
    why: 'external, and a name too long for the worker Service',
    name: 'c'.repeat(50),
    spec: { external: true, externalConfig: { host: 'h' } },
    says: /at most 49/,
  },
  { kind: 'Controller', why: 'a dot in a Service name', name: 'a.b', spec: keys, says: /no dots/ },
  {
    kind: 'Controller',
    why: 'a port that does not exist',
    spec: { ...keys, service: { port: 65_536 } },
    says: /65535/,
  },
  {
    kind: 'Controller',
    why: 'so many backups that the operator has no memory left',
    spec: { ...keys, persistence: claim, ha: { enabled: true, backups: 2_147_483_647 } },
    says: /backups/,
  },
  {
    kind: 'Controller',
    why: 'a blank in a host',
    spec: { external: true, externalConfig: { host: 'a b' } },
    says: /externalConfig.host/,
  },
  { kind: 'Accounting', why: 'no database', spec: keys, says: /storageConfig is missing/ },
  {
    kind: 'Accounting',
    why: 'a line smuggled into slurmdbd.conf by the user name',
    spec: { ...keys, storageConfig: { ...storageConfig, username: 'a\nStoragePass=b' } },
    says: /username/,
  },
  { kind: 'RestApi', why: 'fewer than no pods', spec: { controllerRef, replicas: -1 }, says: /replicas/ },
  {
    kind: 'RestApi',
    why: 'a name too long for its Service',
    name: 'r'.repeat(56),
    spec: { controllerRef },
    says: /55/,
  },
  { kind: 'LoginSet', why: 'fewer than no pods', spec: { ...login, replicas: -1 }, says: /replicas/ },
  { kind: 'NodeSet', why: 'a name too long for its pods', name: 'n'.repeat(58), spec: { controllerRef }, says: /57/ },
  { kind: 'NodeSet', why: 'less than no padding', spec: { controllerRef, ordinalPadding: -1 }, says: /ordinalPadding/ },
  {
    kind: 'NodeSet',
    why: 'SSH and nobody may log in',
    spec: { controllerRef, ssh: { enabled: true } },
    says: /sssdConfRef is/,
  },
  { kind: 'NodeSet', why: 'negative waiting', spec: { controllerRef, minReadySeconds: -1 }, says: /minReadySeconds/ },
  {
    kind: 'NodeSet',
    why: 'NS-038: an update at no time',
    spec: strategy({ type: 'ScheduledUpdate' }),
    says: /startTime is missing/,
  },
  {
    kind: 'NodeSet',
    why: 'an update shorter than a minute',
    spec: scheduled({ startTime, duration: '59s' }),
    says: /at least 1m/,
  },
  {
    kind: 'NodeSet',
    why: 'an update of no length in words',
    spec: scheduled({ startTime, duration: 'soon' }),
    says: /duration/,
  },
  ...[0, -1, '0%', '00%', '10', 'x', '%'].map((maxUnavailable) => ({
    kind: 'NodeSet' as const,
    why: `an update that never begins: ${maxUnavailable}`,
    spec: strategy({ rollingUpdate: { maxUnavailable } }),
    says: /maxUnavailable must be at least/,
  })),
  ...['0s', '9s', '-1h', '876001h'].map((lifetime) => ({
    kind: 'Token' as const,
    why: `a token that is always or never renewed: ${lifetime}`,
    spec: { ...token, lifetime },
    says: /lifetime/,
  })),
  { kind: 'Token', why: 'a lifetime without a unit', spec: { ...token, lifetime: '60' }, says: /lifetime/ },
  { kind: 'Token', why: 'a line break in a user name', spec: { ...token, username: 'a\nb' }, says: /username/ },
  { kind: 'Cluster', why: 'neither here nor there', spec: {}, says: /either controllerRef/ },
  { kind: 'Cluster', why: 'both here and there', spec: { ...address, controllerRef }, says: /either controllerRef/ },
  {
    kind: 'Cluster',
    why: 'a Controller without a name',
    spec: { controllerRef: {} },
    says: /controllerRef.name is missing/,
  },
  { kind: 'Cluster', why: 'a server and no token', spec: { server: address.server }, says: /token is missing/ },
  ...['slurm:6820', 'ftp://slurm', 'http://', 'http://user:secret@slurm', 'http://a b', 'http://slurm/?a=b'].map(
    (server) => ({
      kind: 'Cluster' as const,
      why: `a server that is no URL of one: ${server}`,
      spec: { ...address, server },
      says: /spec.server/,
    }),
  ),
]

/** What the server must accept; the first of a kind is the smallest one. `stored` is what it must have become. */
export const accepted: readonly (Row & { readonly stored?: object })[] = [
  { kind: 'Controller', why: 'smallest', spec: keys },
  { kind: 'Controller', why: 'the old name of the JWT key', spec: { slurmKeyRef: key, jwtHs256KeyRef: key } },
  {
    kind: 'Controller',
    why: 'external with the usual port, also when the chart says null',
    spec: { external: true, externalConfig: { host: 'h', port: null } },
    stored: { externalConfig: { host: 'h', port: 6817 } },
  },
  { kind: 'Controller', why: 'the longest name', name: 'c'.repeat(41), spec: keys },
  {
    kind: 'Controller',
    why: 'the longest name of an external one',
    name: 'c'.repeat(49),
    spec: { external: true, externalConfig: { host: 'h' } },
  },
  { kind: 'Controller', why: 'several slurmctld', spec: { ...keys, ha: { enabled: true }, persistence: claim } },
  { kind: 'Controller', why: 'the longest cluster name', spec: { ...keys, clusterName: 'A_1.-'.repeat(8) } },
  { kind: 'Controller', why: 'a cluster name left empty by a chart', spec: { ...keys, clusterName: '' } },
  { kind: 'Controller', why: 'ports left 0', spec: { ...keys, service: { port: 0, nodePort: 0 } } },
  {
    kind: 'Controller',
    why: 'null where it means nothing',
    spec: {
      ...keys,
      configFileRefs: null,
      metrics: { serviceMonitor: null },
      template: { metadata: { labels: null } },
    },
  },
  {
    kind: 'Controller',
    why: 'whatever stands in a container is kept for the validator',
    spec: { ...keys, slurmctld: { image: 5, imagePullPolcy: 'x' } },
    stored: { slurmctld: { image: 5, imagePullPolcy: 'x' } },
  },
  { kind: 'Accounting', why: 'smallest', spec: { ...keys, storageConfig } },
  {
    kind: 'Accounting',
    why: 'external with the usual port',
    spec: { external: true, externalConfig: { host: 'h' } },
    stored: { externalConfig: { port: 6819 } },
  },
  { kind: 'RestApi', why: 'smallest', spec: { controllerRef }, stored: { replicas: 1 } },
  { kind: 'RestApi', why: 'switched off', spec: { controllerRef, replicas: 0 } },
  { kind: 'LoginSet', why: 'smallest', spec: login },
  { kind: 'NodeSet', why: 'smallest', spec: { controllerRef }, stored: { scalingMode: 'StatefulSet' } },
  { kind: 'NodeSet', why: 'SSH off without sssd.conf', spec: { controllerRef, ssh: { enabled: false } } },
  {
    kind: 'NodeSet',
    why: 'SSH off and nothing else',
    spec: { controllerRef, ssh: {} },
    stored: { ssh: { enabled: false } },
  },
  {
    kind: 'NodeSet',
    why: 'a scheduled update',
    spec: scheduled({ startTime }),
    stored: scheduled({ startTime, duration: '30m' }),
  },
  { kind: 'NodeSet', why: 'a scheduled update of Go length', spec: scheduled({ startTime, duration: '1h30m0.5s' }) },
  { kind: 'NodeSet', why: 'a scheduled update of no length', spec: scheduled({ startTime, duration: '0s' }) },
  {
    kind: 'NodeSet',
    why: 'claims of any shape',
    spec: { controllerRef, volumeClaimTemplates: [{ metadata: { name: 'a' } }] },
  },
  ...[1, '1%', '100%', '150%'].map((maxUnavailable) => ({
    kind: 'NodeSet' as const,
    why: `an update of ${maxUnavailable} at a time`,
    spec: strategy({ rollingUpdate: { maxUnavailable } }),
  })),
  { kind: 'Token', why: 'smallest', spec: token, stored: { refresh: true } },
  ...['15m', '10s', '1h30m', '876000h', '90000ms'].map((lifetime) => ({
    kind: 'Token' as const,
    why: `a lifetime of ${lifetime}`,
    spec: { ...token, lifetime },
  })),
  ...['', 'Jane.Doe', 'DOM\\jane', 'jane@example.com', 'jürgen'].map((username) => ({
    kind: 'Token' as const,
    why: `the user ${JSON.stringify(username)}`,
    spec: { ...token, username },
  })),
  { kind: 'Cluster', why: 'smallest', spec: { controllerRef } },
  {
    kind: 'Cluster',
    why: 'a server elsewhere',
    spec: address,
    stored: { token: { secretRef: { key: 'auth-token' } } },
  },
  { kind: 'Cluster', why: 'a server behind a path', spec: { ...address, server: 'https://[::1]:6820/slurm/' } },
]
