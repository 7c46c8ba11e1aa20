/**
 * What a pass does, decided on what Slurm says now: it is asked again where the orders of a plan rest on what may have changed
 * since its last lists.
 *
 * @module
 */
import type { ViewPart } from '@slurm-operator/slurm'
import { needsNewJobs, needsNewList, withoutOrders } from './needs-new-list.ts'
import type { Observed } from './observe.ts'
import type { Picture } from './picture.ts'
import { planNodeSet } from './plan.ts'
import type { Plan } from './steps.ts'

const REFRESH_WITHIN_MS = 10_000

/** What was seen last, and the plan from it. */
export interface Decided {
  readonly observed: Observed
  readonly plan: Plan
}

/**
 * See the module. Each list is asked for once. Only the new list of nodes may show that a pod could go, and then the list of
 * jobs must be new as well.
 */
export async function decide(look: () => Promise<Observed | 'gone'>): Promise<Decided | 'gone'> {
  const asked = new Set<ViewPart>()
  let hasNewNodes = true
  for (;;) {
    const observed = await look()
    if (observed === 'gone') return 'gone'
    const plan = planNodeSet(observed.picture)
    const view = observed.connection?.view
    const parts = partsNeeded(observed.picture, plan).filter((part) => !asked.has(part))
    if (view === undefined || parts.length === 0) return { observed, plan: hasNewNodes ? plan : withoutOrders(plan) }
    const news = await Promise.all(parts.map((part) => view.refresh(part, REFRESH_WITHIN_MS)))
    hasNewNodes &&= parts.every((part, at) => part === 'jobs' || news[at] === true) // the plan knows how old its jobs are
    for (const part of parts) asked.add(part)
  }
}

function partsNeeded(picture: Picture, plan: Plan): ViewPart[] {
  const parts: ViewPart[] = []
  if (needsNewList(picture, plan)) parts.push('nodes')
  if (needsNewJobs(picture, plan)) parts.push('jobs')
  return parts
}
