import { claimsFor, whyUnusable } from './claims.ts'
import type { Picture } from './picture.ts'
import { BURST_LIMIT, type Missing } from './plan-scale.ts'
import type { Problem, Step, Wait } from './steps.ts'

/** The workers that are made now, and why others are not. */
interface CreatePlan {
  readonly steps: readonly Step[]
  readonly waits: readonly Wait[]
  readonly problems: readonly Problem[]
}

const CLAIM_LOOK_MS = 5000

/** Make the missing workers. That needs no Slurm; it needs a template and claims that are not about to vanish. */
export function planCreation(picture: Picture, missing: readonly Missing[], revisionHash: string): CreatePlan {
  if (missing.length === 0) return { steps: [], waits: [], problems: [] }
  if (picture.template.kind === 'impossible') {
    const { problem, reason } = picture.template
    const because = `no worker can be made: ${problem}`
    return {
      steps: [],
      waits: [],
      problems: [
        {
          reason,
          because,
          needsPerson: true,
          ...(reason === 'ControllerNotFound' && { event: 'ControllerRefFailed' }),
        },
      ],
    }
  }
  const livePods = new Set(picture.workers.map(({ uid }) => uid))
  const steps: Step[] = []
  const waits: Wait[] = []
  for (const one of missing) {
    const held = claimsFor(picture, one).flatMap(({ name }) => whyUnusable(picture.claims.get(name), livePods) ?? [])
    const [because] = held
    if (because !== undefined) waits.push(claimWait(one, because))
    else if (steps.length < BURST_LIMIT) steps.push(createStep(picture, one, revisionHash))
  }
  return { steps, waits, problems: [] }
}

function createStep(picture: Picture, one: Missing, revisionHash: string): Step {
  const isProtected = picture.wanted.protects === 'until-drained'
  const worker = { ...one, revisionHash, isProtected, claims: claimsFor(picture, one) }
  const label = one.name ?? `on ${one.node}`
  return {
    ...{
      do: 'create-pod',
      worker,
      chain: `create/${label}`,
      reason: 'ScaleOut',
      because: `worker ${label} is missing`,
    },
    event: { type: 'Normal', reason: 'ScalingUp' },
  }
}

function claimWait({ name, node }: Missing, because: string): Wait {
  const worker = name ?? node ?? ''
  return { worker, reason: 'ClaimTerminating', because, sinceMs: undefined, lookAgainInMs: CLAIM_LOOK_MS }
}
