/**
 * Rules about fields that several kinds have.
 *
 * @module
 */
import type { LocalObjectReference, SecretKeySelector, ServiceTemplate, Problem } from '@slurm-operator/api'
import { quote, refuse, warn, when } from './problem.ts'

/** The two fields for the signing key; the second is the old name of the first. */
export interface JwtFields {
  readonly jwtKeyRef?: SecretKeySelector
  readonly jwtHs256KeyRef?: SecretKeySelector
}

/** A reference that must name something. */
export function findEmptyName(
  path: string,
  reference: LocalObjectReference | undefined,
  what: string,
): readonly Problem[] {
  return when(!reference?.name, () => refuse(`${path}.name`, 'is empty', `Write the name of ${what}.`))
}

/** A reference to a Controller that cannot change: everything that exists already belongs to the old one. */
export function findMovedController(before: LocalObjectReference, after: LocalObjectReference): readonly Problem[] {
  return when(before.name !== after.name, () =>
    refuse(
      'spec.controllerRef.name',
      `cannot be changed from ${quote(before.name)} to ${quote(after.name)}`,
      'Make a new object for the other Controller, and delete this one when its jobs have ended.',
    ),
  )
}

/** What users write about a Service that Kubernetes would refuse, or that we do not do. */
export function findServiceProblems(service: ServiceTemplate | undefined): readonly Problem[] {
  const { port = 0, nodePort = 0, spec = {} } = service ?? {}
  return [
    ...findBadPort('spec.service.port', port),
    ...findBadPort('spec.service.nodePort', nodePort),
    ...when(Object.hasOwn(spec, 'externalIPs'), () =>
      warn(
        'spec.service.spec.externalIPs',
        'is ignored, because whoever sets it could take over the traffic of others',
        'Leave it out; use type LoadBalancer, or an Ingress.',
      ),
    ),
  ]
}

function findBadPort(path: string, port: number): readonly Problem[] {
  return when(port < 0 || port > 65_535, () =>
    refuse(path, `is ${port}, which is not a port`, 'Write a number from 1 to 65535, or 0 for the usual one.'),
  )
}

/** A number that must not be negative. */
export function findNegative(path: string, value: number | undefined): readonly Problem[] {
  return when(value !== undefined && value < 0, () => refuse(path, `is ${value}`, 'Write 0 or more.'))
}

/** Somebody uses the old name of a field. */
export function findOldJwtField({ jwtHs256KeyRef, jwtKeyRef }: JwtFields): readonly Problem[] {
  if (jwtHs256KeyRef === undefined) return []
  const isIgnored = jwtKeyRef !== undefined
  return [
    warn(
      'spec.jwtHs256KeyRef',
      isIgnored ? 'is ignored, because spec.jwtKeyRef is set' : 'is the old name of spec.jwtKeyRef',
      isIgnored ? 'Leave it out.' : 'Write the same under the new name; nothing else changes.',
    ),
  ]
}

/** The signing key must stay the same Secret: with another one, all tokens in use end at once. */
export function findChangedJwtKey(before: JwtFields, after: JwtFields): readonly Problem[] {
  const [was, is] = [effectiveJwtRef(before), effectiveJwtRef(after)]
  const isSame = was?.name === is?.name && was?.key === is?.key && (was?.optional ?? false) === (is?.optional ?? false)
  return when(!isSame, () =>
    refuse(
      'spec.jwtKeyRef',
      `cannot be changed from ${printKeyRef(was)} to ${printKeyRef(is)}`,
      'Write the old value, and change the content of the Secret to rotate the key.',
    ),
  )
}

/** The signing key that counts. */
export function effectiveJwtRef({ jwtKeyRef, jwtHs256KeyRef }: JwtFields): SecretKeySelector | undefined {
  return jwtKeyRef ?? jwtHs256KeyRef
}

function printKeyRef(reference: SecretKeySelector | undefined): string {
  if (reference === undefined) return 'none'
  const { name = '', key, optional = false } = reference
  return `${name}/${key}${optional ? ' (optional)' : ''}`
}

/** A daemon moves in or out of Kubernetes: what we ran is deleted. */
export function findMovedOutside(before: Outside, after: Outside, daemon: string): readonly Problem[] {
  const [was, is] = [before.external ?? false, after.external ?? false]
  return when(!was && is, () =>
    warn(
      'spec.external',
      `is true now, so the ${daemon} that runs here is deleted`,
      'Make sure that the other one runs.',
    ),
  )
}

interface Outside {
  readonly external?: boolean
}
