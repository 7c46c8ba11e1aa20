/**
 * An order rests on what Slurm said a moment ago, and an administrator may have drained the node since. Where lists take
 * long, and before a node is given back, each is looked at by its name just before the order. One whose drain is no
 * longer as the plan saw it is left to the next pass, and the reason that somebody else gave stays. Where looks take as
 * long as lists they are no better than those, and nobody waits for them.
 *
 * Before a deletion it is the same: who was drained in the list may have been given back since, and have got a job. But
 * without an answer nobody goes, however long it takes. Whether it works is not asked: of a single node Slurm does not count
 * what is in use, and one that was idle in the list gets nothing while it is drained or DOWN.
 *
 * @module
 */
import { asError, DeadlineError, inParallel, withDeadline } from '@slurm-operator/runtime'
import type { SlurmClient, SlurmNode } from '@slurm-operator/slurm'
import { oncePerObject } from '../world/once-per-object.ts'
import type { World } from '../world/world.ts'
import type { Acting } from './acting.ts'
import { FRESH_ORDERS_MS } from './needs-new-list.ts'
import type { Picture } from './picture.ts'
import type { StepOf } from './steps.ts'

/** A look takes milliseconds; so many at once leave slurmrestd time for others. */
const MOST_LOOKS_AT_ONCE = 8
/** After this a look would be no fresher than the list. */
const LOOKS_WITHIN_MS = FRESH_ORDERS_MS
/**
 * Who gives a node back by mistake undoes what somebody wanted, and nobody notices; who deletes by mistake ends a job.
 * Only what was said just now will do for them.
 */
const JUST_NOW_MS = 300

type Order = StepOf<'drain' | 'undrain' | 'resume' | 'prune-record' | 'update-slurm-node'>

/** How old a list may be on which each order rests without a look. */
const freshMs: Readonly<Record<Order['do'], number>> = {
  drain: FRESH_ORDERS_MS,
  'prune-record': FRESH_ORDERS_MS,
  undrain: JUST_NOW_MS,
  resume: JUST_NOW_MS,
  'update-slurm-node': Infinity, // says nothing about the state
}

/** What speaks against an order: the drain of its node is another one now, or it could not be looked at. */
export type Objection = 'changed' | Error

/** Look at the Slurm nodes that get these orders, where that is needed; most orders meet no objection. */
export async function findObjections(
  orders: readonly Order[],
  client: Pick<SlurmClient, 'findNode'>,
  { observed: { picture }, world }: Acting,
): Promise<ReadonlyMap<string, Objection>> {
  const objections = new Map<string, Objection>()
  const names = orders.filter(needsLook(picture, world.clock.now())).map(({ slurmName }) => slurmName)
  if (names.length === 0) return objections
  const look = async (name: string): Promise<void> => {
    const objection = await lookAt(name, recordsOf(picture).get(name), client)
    if (objection !== undefined) objections.set(name, objection)
  }
  await inTime(world.clock, (signal) =>
    inParallel(names, MOST_LOOKS_AT_ONCE, async (name) => (signal.aborted ? undefined : look(name))),
  )
  return new Map(objections) // of looks that are still under way nobody hears any more
}

/** Whether this node is drained, or DOWN, as the plan saw it; throws if Slurm does not say. */
export async function isStillDrained(
  name: string,
  client: Pick<SlurmClient, 'findNode'>,
  { observed: { picture }, world }: Acting,
): Promise<boolean> {
  if (listAgeMs(picture, world.clock.now()) <= JUST_NOW_MS) return true
  const planned = recordsOf(picture).get(name)
  const found = await client.findNode(name)
  if (planned === undefined || found === undefined) return false
  // A slurmd that has registered since may have a job, whatever was said of the one before it.
  const isSameSlurmd = planned.slurmdStartedAtMs === found.slurmdStartedAtMs
  return isSameSlurmd && !hasChanged(planned, found) && !differIn('DOWN', planned, found)
}

/** Orders whose nodes could not be looked at in time go as they would without a look. */
async function inTime(clock: World['clock'], work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  try {
    await withDeadline('look at Slurm nodes', { clock, withinMs: LOOKS_WITHIN_MS }, work)
  } catch (error) {
    if (!(error instanceof DeadlineError)) throw error
  }
}

async function lookAt(
  name: string,
  planned: SlurmNode | undefined,
  client: Pick<SlurmClient, 'findNode'>,
): Promise<Objection | undefined> {
  try {
    return hasChanged(planned, await client.findNode(name)) ? 'changed' : undefined
  } catch (thrown) {
    return asError(thrown)
  }
}

function needsLook(picture: Picture, nowMs: number): (order: Order) => boolean {
  const ageMs = listAgeMs(picture, nowMs)
  return ({ do: what }) => ageMs > freshMs[what]
}

function listAgeMs({ slurmList }: Picture, nowMs: number): number {
  const ageMs = nowMs - (slurmList?.wholeAtMs ?? 0)
  return ageMs < -1000 ? Infinity : ageMs // somebody has set the clock back
}

/** What the plan was made from. */
const recordsOf = oncePerObject(({ workers, leftovers }: Picture): ReadonlyMap<string, SlurmNode> => {
  const joined = workers.flatMap(({ slurmNode }) => (slurmNode.kind === 'seen' ? [slurmNode.value] : []))
  const left = leftovers.kind === 'seen' ? leftovers.value : []
  return new Map([...joined, ...left].map((record) => [record.name, record]))
})

/** Who drained it and why; all else may change without us. A record that is gone is told by the order itself. */
function hasChanged(planned: SlurmNode | undefined, found: SlurmNode | undefined): boolean {
  if (planned === undefined || found === undefined) return false
  return planned.reason !== found.reason || differIn('DRAIN', planned, found)
}

function differIn(word: 'DRAIN' | 'DOWN', one: SlurmNode, other: SlurmNode): boolean {
  return one.states.includes(word) !== other.states.includes(word)
}
