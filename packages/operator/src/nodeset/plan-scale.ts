/**
 * How many workers there are in StatefulSet mode: who is one too many, and which numbers are missing.
 *
 * @module
 */
import { counted } from '../reasons/counted.ts'
import { numberedIdentity } from './picture-identity.ts'
import type { Picture, Worker } from './picture.ts'
import type { Condemnation } from './plan-condemnation.ts'
import { rankForRemoval } from './rank.ts'
import { pinsOf } from './status-pins.ts'

/** So many pods are made, and so many deleted, in one pass. */
export const BURST_LIMIT = 250

/** A worker to make, before its claims are looked at. */
export interface Missing {
  readonly ordinalText: string | undefined
  readonly name: string | undefined
  readonly hostname: string
  /** The Kube node that it must run on. */
  readonly node: string | undefined
}

/** Workers to make now, and names that are still taken by pods on their way out. */
interface MissingWorkers {
  readonly missing: readonly Missing[]
  readonly taken: readonly string[]
}

/** The workers that a smaller `replicas` leaves over. Those on their way out are already part of the reduction. */
export function findSurplus(staying: readonly Worker[], replicas: number, revisionHash: string): Condemnation[] {
  const surplus = Math.max(0, staying.length - replicas)
  if (surplus === 0) return []
  const because = `${counted(replicas, 'worker is', 'workers are')} wanted and ${counted(staying.length, 'is', 'are')} there`
  return rankForRemoval(staying, revisionHash)
    .slice(0, surplus)
    .map((worker) => ({ worker, reason: 'ScaleIn', because, event: { type: 'Normal', reason: 'ScalingDown' } }))
}

/** The lowest free numbers. One whose former pod is still on its way out is waited for, not passed over. */
export function findMissing(picture: Picture, staying: readonly Worker[]): MissingWorkers {
  const { wanted, workers, othersPods } = picture
  const living = new Set(workers.flatMap(({ terminating, ordinal }) => (terminating ? [] : (ordinal ?? []))))
  const leaving = new Set(workers.flatMap(({ terminating, ordinal }) => (terminating ? (ordinal ?? []) : [])))
  const pins = pinsOf(picture) ?? {}
  const missing: Missing[] = []
  const taken: string[] = []
  const lacking = wanted.replicas - staying.length
  for (let ordinal = 0; missing.length + taken.length < lacking && missing.length < BURST_LIMIT; ordinal++) {
    if (living.has(ordinal)) continue
    const identity = numberedIdentity(wanted, ordinal)
    if (leaving.has(ordinal) || othersPods.has(identity.name)) taken.push(identity.name)
    else missing.push({ ...identity, node: pins[String(ordinal)] })
  }
  return { missing, taken }
}
