/**
 * One row per rule of Controllers: what is refused, what is only mentioned, and what must stay possible.
 *
 * @module
 */
import type { Row } from './gen.ts'

const keyOf = (name: string, key: string, optional?: boolean) => ({
  name,
  key,
  ...(optional !== undefined && { optional }),
})
const files = (...names: string[]) => ({ configFileRefs: names.map((name) => ({ name })) })
const ha = { ha: { enabled: true }, persistence: { enabled: true, existingClaim: 'state' } }

/** Of Controllers. */
export const controllerRows: readonly Row[] = [
  { name: 'a plain one is refused' },
  {
    name: 'a chosen cluster name is too long',
    spec: { clusterName: 'x'.repeat(41) },
    errors: ['spec.clusterName: it is "xxx'],
  },
  { name: 'a name of 40 is refused', spec: { clusterName: 'x'.repeat(40) } },
  {
    name: 'a derived cluster name is too long',
    metadata: { name: 'x'.repeat(35) },
    errors: ['spec.clusterName: it is empty, and <namespace>_<name> would be'],
  },
  {
    name: 'a cluster name writes a line into slurm.conf',
    spec: { clusterName: 'a\nSlurmUser=root' },
    errors: ['spec.clusterName: it is "a\\nSlurmUser=root"'],
  },
  {
    name: 'a name that is too long already cannot be scaled or labelled',
    before: { clusterName: 'x'.repeat(41) },
    spec: { clusterName: 'x'.repeat(41), extraConf: 'A=b' },
    warnings: ['spec.clusterName: it is'],
  },
  {
    name: 'two objects that are applied together are refused',
    spec: files('late'),
    warnings: ['spec.configFileRefs[0].name: it names the ConfigMap "late", which does not exist'],
  },
  {
    name: 'a ConfigMap that nobody could read passes unseen',
    spec: files('secret'),
    world: { configMaps: { secret: new Error('forbidden') } },
    errors: [
      'spec.configFileRefs[0].name: it names the ConfigMap "secret", which could not be checked: forbidden. Try again.',
    ],
  },
  {
    name: 'files of ours are overwritten',
    spec: files('a', 'b'),
    world: { configMaps: { a: ['gres.conf', 'slurm.conf'], b: ['slurmdbd.conf'] } },
    errors: [
      'spec.configFileRefs[0].name: it names the ConfigMap "a", which has an entry "slurm.conf"',
      'spec.configFileRefs[1].name: it names the ConfigMap "b", which has an entry "slurmdbd.conf"',
    ],
  },
  {
    name: 'a misspelt file is never read and nobody says so',
    spec: files('a'),
    world: { configMaps: { a: ['topology.yaml', 'grse.conf'] } },
    warnings: ['spec.configFileRefs[0].name: it names the ConfigMap "a", whose entry "grse.conf"'],
  },
  { name: 'a reference without a name', spec: files(''), errors: ['spec.configFileRefs[0].name: it is empty'] },
  { name: 'a list that is null', spec: { configFileRefs: null } },
  {
    name: 'external addresses are ignored silently',
    spec: { service: { spec: { externalIPs: [] } } },
    warnings: ['spec.service.spec.externalIPs: it is ignored'],
  },
  {
    name: 'a port that is none',
    spec: { service: { port: 70_000, nodePort: -1 } },
    errors: ['spec.service.port: it is 70000', 'spec.service.nodePort: it is -1'],
  },
  {
    name: 'two slurmctld wait for a claim that only one can mount',
    spec: ha,
    world: { claims: { state: ['ReadWriteOnce'] } },
    errors: [
      'spec.persistence.existingClaim: it names the claim "state", which only one node can mount (ReadWriteOnce)',
    ],
  },
  { name: 'a shared claim is refused', spec: ha, world: { claims: { state: ['ReadWriteOnce', 'ReadWriteMany'] } } },
  {
    name: 'a claim that comes later is refused',
    spec: ha,
    warnings: ['spec.persistence.existingClaim: it names the claim "state", which does not exist'],
  },
  {
    name: 'a claim that nobody could read passes unseen',
    spec: ha,
    world: { claims: { state: new Error('no answer') } },
    errors: ['spec.persistence.existingClaim: it names the claim "state", which could not be checked: no answer'],
  },
  {
    name: 'the claim of a single slurmctld is asked about',
    spec: { persistence: { enabled: true, existingClaim: 'x' } },
    world: { claims: { x: ['ReadWriteOnce'] } },
  },
  {
    name: 'a state that is lost with the pod',
    spec: { persistence: { enabled: false } },
    warnings: ['spec.persistence.enabled: it is false'],
  },
  {
    name: 'the old name of a field',
    spec: { jwtKeyRef: undefined, jwtHs256KeyRef: keyOf('jwt', 'jwt.key') },
    warnings: ['spec.jwtHs256KeyRef: it is the old name'],
  },
  {
    name: 'a renamed cluster loses its jobs',
    before: { clusterName: 'a' },
    spec: { clusterName: 'b' },
    errors: ['spec.clusterName: it cannot be changed from "a" to "b"'],
  },
  { name: 'a derived name cannot be written down', before: {}, spec: { clusterName: 'slurm_one' } },
  {
    name: 'another Secret for the Slurm key',
    before: {},
    spec: { slurmKeyRef: keyOf('other', 'slurm.key') },
    errors: ['spec.slurmKeyRef.name: it cannot be changed from "slurm" to "other"'],
  },
  {
    name: 'another entry for the Slurm key is refused, or nobody hears that running workers keep the old one',
    before: {},
    spec: { slurmKeyRef: keyOf('slurm', 'new.key') },
    warnings: [
      'spec.slurmKeyRef.key: it changes from "slurm.key" to "new.key", and workers that run keep the old entry',
    ],
  },
  {
    name: 'another Secret for tokens',
    before: {},
    spec: { jwtKeyRef: keyOf('other', 'jwt.key') },
    errors: ['spec.jwtKeyRef: it cannot be changed from jwt/jwt.key to other/jwt.key'],
  },
  {
    name: 'another entry for tokens',
    before: {},
    spec: { jwtKeyRef: keyOf('jwt', 'b') },
    errors: ['spec.jwtKeyRef: it cannot be changed from jwt/jwt.key to jwt/b'],
  },
  {
    name: 'a key for tokens that becomes optional',
    before: {},
    spec: { jwtKeyRef: keyOf('jwt', 'jwt.key', true) },
    errors: ['spec.jwtKeyRef: it cannot be changed'],
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
    errors: ['spec.persistence.enabled: it cannot be changed from true to false'],
    warnings: ['spec.persistence.enabled: it is false'],
  },
  { name: 'the default cannot be written down', before: {}, spec: { persistence: { enabled: true } } },
  {
    name: 'another claim',
    before: { persistence: { enabled: true, existingClaim: 'a' } },
    spec: { persistence: { enabled: true, existingClaim: 'b' } },
    errors: ['spec.persistence.existingClaim: it cannot be changed from "a" to "b"'],
  },
  {
    name: 'a claim of a cluster without persistence cannot change',
    before: { persistence: { enabled: false, existingClaim: 'a' } },
    spec: { persistence: { enabled: false, existingClaim: 'b' } },
    warnings: ['spec.persistence.enabled: it is false'],
  },
  {
    name: 'slurmctld is deleted without a word',
    before: {},
    spec: { external: true, externalConfig: { host: 'h', port: 6817 } },
    warnings: ['spec.external: it is true now'],
  },
]
