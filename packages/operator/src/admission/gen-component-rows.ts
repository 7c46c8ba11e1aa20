/**
 * One row per rule of the smaller kinds: what is refused, what is only mentioned, what must stay possible.
 *
 * @module
 */
import type { Row } from './gen.ts'

const keyOf = (name: string, key: string, optional?: boolean) => ({
  name,
  key,
  ...(optional !== undefined && { optional }),
})

/** Of Accountings. */
export const accountingRows: readonly Row[] = [
  { name: 'a plain one is refused' },
  {
    name: 'external addresses are ignored silently',
    spec: { service: { spec: { externalIPs: ['1.2.3.4'] } } },
    warnings: ['spec.service.spec.externalIPs: it is ignored'],
  },
  {
    name: 'slurmdbd starts without a database',
    spec: { storageConfig: undefined },
    errors: ['spec.storageConfig: it is missing'],
  },
  {
    name: 'a slurmdbd elsewhere needs a database here',
    spec: { storageConfig: undefined, external: true, externalConfig: { host: 'h', port: 6819 } },
  },
  {
    name: 'another Secret for tokens',
    before: {},
    spec: { jwtKeyRef: keyOf('other', 'jwt.key') },
    errors: ['spec.jwtKeyRef: it cannot be changed'],
  },
  {
    name: 'slurmdbd is deleted without a word',
    before: {},
    spec: { external: true, externalConfig: { host: 'h', port: 6819 } },
    warnings: ['spec.external: it is true now'],
  },
]

/** Of RestApis. */
export const restApiRows: readonly Row[] = [
  { name: 'a plain one is refused' },
  { name: 'no Controller', spec: { controllerRef: { name: '' } }, errors: ['spec.controllerRef.name: it is empty'] },
  { name: 'fewer than no replicas', spec: { replicas: -1 }, errors: ['spec.replicas: it is -1'] },
  {
    name: 'external addresses are ignored silently',
    spec: { service: { spec: { externalIPs: [] } } },
    warnings: ['spec.service.spec.externalIPs'],
  },
  { name: 'it cannot move to another Controller', before: {}, spec: { controllerRef: { name: 'b' } } },
]

/** Of LoginSets. */
export const loginSetRows: readonly Row[] = [
  { name: 'a plain one is refused' },
  { name: 'no Controller', spec: { controllerRef: {} }, errors: ['spec.controllerRef.name: it is empty'] },
  {
    name: 'no sssd.conf',
    spec: { sssdConfRef: { name: '', key: 'a' } },
    errors: ['spec.sssdConfRef.name: it is empty'],
  },
  { name: 'fewer than no replicas', spec: { replicas: -3 }, errors: ['spec.replicas: it is -3'] },
  {
    name: 'external addresses are ignored silently',
    spec: { service: { spec: { externalIPs: [] } } },
    warnings: ['spec.service.spec.externalIPs'],
  },
  {
    name: 'it moves to another Controller',
    before: {},
    spec: { controllerRef: { name: 'b' } },
    errors: ['spec.controllerRef.name: it cannot be changed from "slurm" to "b"'],
  },
]

/** Of Tokens. */
export const tokenRows: readonly Row[] = [
  { name: 'a plain one is refused' },
  {
    name: 'another signing key',
    before: {},
    spec: { jwtKeyRef: keyOf('other', 'jwt.key') },
    errors: ['spec.jwtKeyRef: it cannot be changed'],
  },
  { name: 'a token that is over at once', spec: { lifetime: '0s' }, errors: ['spec.lifetime: it is 0s'] },
  {
    name: 'a lifetime that is no duration',
    spec: { lifetime: 'long' },
    errors: ['spec.lifetime: it is "long", which is no duration'],
  },
  { name: 'a token that is renewed all the time', spec: { lifetime: '20s' }, warnings: ['spec.lifetime: it is 20s'] },
  {
    name: 'the token overwrites the key it is signed with',
    spec: { secretRef: keyOf('jwt', 'x') },
    errors: ['spec.secretRef.name: it is "jwt", the Secret with the signing key itself'],
  },
  { name: 'a user with capital letters is refused', spec: { username: 'Alice_B' } },
]
