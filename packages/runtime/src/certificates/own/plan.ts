/**
 * The life of an own authority, decided from what is in the Secret and the time alone.
 *
 * Two moments lie between a new authority and the end of the old one, each a whole overlap after the one before:
 * it is trusted; it signs; the old one is dropped. A client that knows the authorities of some moment within the last
 * overlap can therefore verify a server that knows the certificate of any moment within the last overlap. When a thing
 * was made is read from the certificates, so there is nothing else to remember, and any replica may take any step.
 *
 * @module
 */
import type { CertificateFacts } from '../read-certificate.ts'
import { canonicalName } from '../served-name.ts'
import type { Kept, Serving, Signer } from './kept.ts'
import { BACKDATE_MS, type CertificatePolicy } from './policy.ts'
import type { CertificatePlan, CertificateStep } from './steps.ts'

/** All a plan is made of. */
export interface CertificatePicture {
  readonly kept: Kept
  /** DNS names and addresses under which the server must be reachable. */
  readonly names: readonly string[]
  readonly nowMs: number
  readonly policy: CertificatePolicy
}

/** The next steps in the life of the authority and its serving certificate. */
export function planCertificates(picture: CertificatePicture): CertificatePlan {
  const authority = planAuthority(picture)
  const serving = planServing(picture, authority)
  const dropped = planDrops(picture, authority, serving.length > 0)
  const steps = [...authority.steps, ...serving, ...dropped]
  return { steps, lookAgainAtMs: nextMoment(picture) }
}

interface AuthorityPlan {
  readonly steps: readonly CertificateStep[]
  /** Who signs after these steps: fingerprint, `new`, or nobody yet. */
  readonly signer: string | undefined
  /** Fingerprints of kept authorities that must stay, whatever their age. */
  readonly needed: readonly string[]
}

function planAuthority(picture: CertificatePicture): AuthorityPlan {
  const { kept } = picture
  const signing = current(kept.signing, picture)
  const next = current(kept.next, picture)
  const mayWait = signing !== undefined || servesForNow(picture)
  if (next !== undefined) {
    if (isKnownToAll(next, picture)) return promote(next, 'everybody had time to learn to trust it')
    if (!mayWait) return promote(next, 'there is no other authority that could sign')
    return { steps: [], signer: signing?.fingerprint, needed: fingerprints(signing, next) }
  }
  if (!mayWait) return create('signing', 'there is no authority that could sign')
  if (signing === undefined) return create('next', 'the key of the present authority is not there')
  if (picture.nowMs >= authorityDueMs(signing, picture)) return create('next', 'the present one ends soon', signing)
  return { steps: [], signer: signing.fingerprint, needed: fingerprints(signing) }
}

function promote(next: Signer, because: string): AuthorityPlan {
  return { steps: [{ do: 'promote-next', because }], signer: next.fingerprint, needed: fingerprints(next) }
}

function create(as: 'signing' | 'next', because: string, signing?: Signer): AuthorityPlan {
  const signer = as === 'signing' ? 'new' : signing?.fingerprint
  return { steps: [{ do: 'create-authority', as, because }], signer, needed: fingerprints(signing) }
}

function planServing(picture: CertificatePicture, { signer }: AuthorityPlan): CertificateStep[] {
  if (signer === undefined) return [] // the present certificate does until the next authority is known to all
  const because = whyIssue(picture, signer)
  if (because === undefined) return []
  // Names of the present certificate stay in: another replica, of another version, may want them.
  const wanted = picture.names.map(canonicalName)
  const others = isDue(picture) ? [] : (picture.kept.serving?.names ?? [])
  return [{ do: 'issue-serving', names: [...new Set([...wanted, ...others])], because }]
}

function whyIssue(picture: CertificatePicture, signer: string): string | undefined {
  const { serving } = picture.kept
  if (serving === undefined) return 'there is none that can be used'
  if (current(serving, picture) === undefined) return 'the present one is not good at this time'
  if (serving.signedBy !== signer) return 'the present one was signed by another authority'
  const missing = missingNames(serving, picture)
  if (missing.length > 0) return `the present one does not name ${missing.join(', ')}`
  return isDue(picture) ? 'the present one ends soon' : undefined
}

function planDrops(picture: CertificatePicture, { needed }: AuthorityPlan, changing: boolean): CertificateStep[] {
  const { kept, nowMs } = picture
  const droppable = !changing && kept.serving !== undefined && nowMs >= dropMs(kept.serving, picture)
  return kept.trusted.flatMap((authority): CertificateStep[] => {
    const { fingerprint } = authority
    if (needed.includes(fingerprint)) return []
    if (authority.untilMs <= nowMs) return [{ do: 'drop-authority', fingerprint, because: 'it has ended' }]
    if (!droppable || kept.serving?.signedBy === fingerprint) return []
    return [{ do: 'drop-authority', fingerprint, because: 'nobody presents a certificate of it any more' }]
  })
}

/** Whether the present certificate can go on serving for one more overlap. */
function servesForNow(picture: CertificatePicture): boolean {
  const serving = current(picture.kept.serving, picture)
  if (serving?.signedBy === undefined || missingNames(serving, picture).length > 0) return false
  const signer = picture.kept.trusted.find(({ fingerprint }) => fingerprint === serving.signedBy)
  const endMs = Math.min(serving.untilMs, signer?.untilMs ?? 0)
  return endMs > picture.nowMs + 2 * picture.policy.overlapMs
}

function missingNames(serving: Serving, { names }: CertificatePicture): string[] {
  return names.map(canonicalName).filter((name) => !serving.names.includes(name))
}

function isDue(picture: CertificatePicture): boolean {
  const { serving } = picture.kept
  return serving === undefined || picture.nowMs >= servingDueMs(serving)
}

function isKnownToAll(next: Signer, { nowMs, policy }: CertificatePicture): boolean {
  return nowMs >= madeMs(next) + policy.overlapMs
}

function current<T extends CertificateFacts>(certificate: T | undefined, { nowMs }: CertificatePicture): T | undefined {
  return certificate && certificate.fromMs <= nowMs && nowMs < certificate.untilMs ? certificate : undefined
}

const madeMs = ({ fromMs }: CertificateFacts): number => fromMs + BACKDATE_MS

/** At two thirds of its life, so that there is time for whatever goes wrong. */
const servingDueMs = (serving: Serving): number => madeMs(serving) + ((serving.untilMs - madeMs(serving)) * 2) / 3

/** Early enough that the last certificate it signs lives its whole life. */
const authorityDueMs = ({ untilMs }: Signer, { policy }: CertificatePicture): number =>
  untilMs - policy.servingLifeMs - 2 * policy.overlapMs

const dropMs = (serving: Serving, { policy }: CertificatePicture): number => madeMs(serving) + policy.overlapMs

function nextMoment(picture: CertificatePicture): number {
  const { serving, signing, next, trusted } = picture.kept
  const moments = [
    ...(serving === undefined ? [] : [servingDueMs(serving), serving.untilMs]),
    ...(serving === undefined || trusted.length < 2 ? [] : [dropMs(serving, picture)]),
    ...(signing === undefined ? [] : [authorityDueMs(signing, picture)]),
    ...(next === undefined ? [] : [madeMs(next) + picture.policy.overlapMs]),
    ...trusted.map(({ untilMs }) => untilMs),
  ]
  const later = moments.filter((moment) => moment > picture.nowMs)
  return Math.min(picture.nowMs + picture.policy.overlapMs, ...later)
}

function fingerprints(...authorities: readonly (Signer | undefined)[]): string[] {
  return authorities.flatMap((authority) => (authority === undefined ? [] : [authority.fingerprint]))
}
