/**
 * Claims of existing workers: those that are missing, and those whose owner is not who it should be.
 *
 * @module
 */
import { arrangeOwners, claimsFor, placeOf, wantedOwner } from './claims.ts'
import type { Picture, Worker } from './picture.ts'
import type { Problem, Step, StepOf } from './steps.ts'

/** Steps of the worker's own chain, before its deletion if it is deleted. */
export interface ClaimPlan {
  readonly steps: readonly Step[]
  readonly problems: readonly Problem[]
}

/** See the module. `leavesForGood` as in `wantedOwner`. */
export function planClaims(picture: Picture, worker: Worker, leavesForGood: boolean): ClaimPlan {
  const { wanted, claims, template } = picture
  const owner = wantedOwner(wanted, worker, leavesForGood)
  const steps: Step[] = []
  const problems: Problem[] = []
  for (const wish of claimsFor(picture, placeOf(worker))) {
    const claim = claims.get(wish.name)
    if (claim === undefined) {
      if (!leavesForGood && template.kind === 'built' && wanted.deletedAtMs === undefined)
        steps.push(createClaim(worker, wish))
      continue
    }
    if (claim.terminating) continue
    const { owners, conflict } = arrangeOwners(claim, wanted, worker, owner)
    if (conflict) problems.push(conflictOver(claim.name, `${conflict.kind} ${conflict.name}`))
    if (owners !== claim.ownerReferences) steps.push(ownClaim(worker, claim.name, owners, leavesForGood))
  }
  return { steps, problems }
}

function createClaim({ pod }: Worker, claim: StepOf<'create-pvc'>['claim']): Step {
  const because = `pod ${pod} needs it`
  return { do: 'create-pvc', claim, pod, chain: `pod/${pod}`, reason: 'ClaimMissing', because }
}

function ownClaim(
  { pod }: Worker,
  claim: string,
  ownerReferences: StepOf<'own-pvc'>['ownerReferences'],
  leavesForGood: boolean,
): Step {
  const because = leavesForGood ? `it goes with pod ${pod}` : 'the retention policy says so'
  const reason = leavesForGood ? 'ScaleIn' : 'RetentionPolicy'
  return { do: 'own-pvc', claim, ownerReferences, chain: `pod/${pod}`, reason, because }
}

function conflictOver(claim: string, owner: string): Problem {
  const because = `claim ${claim} is controlled by ${owner}, so the retention policy does not apply to it`
  return { reason: 'ConflictingController', because, needsPerson: true, event: 'ConflictingController' }
}
