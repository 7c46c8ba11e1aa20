/**
 * An order rests on what Slurm said a moment ago, and an administrator may have drained the node since. Where lists take
 * long, and before a node is given back, each is looked at by its name just before the order. One whose drain is no
 * longer as the plan saw it is left to the next pass, and the reason that somebody else gave stays. Where looks take as
 * long as lists they are no better than those, and nobody waits for them.
 *
 * @module
 */
import type { SlurmClient, SlurmNode } from '@slurm-operator/slurm'
import { oncePerObject } from '../world/once-per-object.ts'
import type { Acting } from './acting.ts'
import { FRESH_ORDERS_MS } from './needs-new-list.ts'
import type { Picture } from './picture.ts'
import type { Step } from './steps.ts'

/** A look takes milliseconds; so many at once leave slurmrestd time for others. */
const MOST_LOOKS_AT_ONCE = 8
/** After this a look would be no fresher than the list. */
const LOOKS_WITHIN_MS = FRESH_ORDERS_MS
/** Who gives a node back by mistake undoes what somebody wanted, and nobody notices: only what was said just now will do. */
const FRESH_TO_GIVE_BACK_MS = 300

type Order = Extract<Step, { readonly do: 'drain' | 'undrain' | 'resume' | 'prune-record' | 'update-slurm-node' }>

/** How old a list may be on which each order rests without a look. */
const freshMs: Readonly<Record<Order['do'], number>> = {
  drain: FRESH_ORDERS_MS,
  'prune-record': FRESH_ORDERS_MS,
  undrain: FRESH_TO_GIVE_BACK_MS,
  resume: FRESH_TO_GIVE_BACK_MS,
  'update-slurm-node': Infinity, // says nothing about the state
}

/** Which of the Slurm nodes that get the same order are not as the plan saw them. */
export async function findChanged(
  orders: readonly Order[],
  client: Pick<SlurmClient, 'findNode'>,
  { observed: { picture }, world }: Acting,
): Promise<ReadonlySet<string>> {
  const changed = new Set<string>()
  const waiting = orders.filter(needsLook(picture, world.clock.now())).map(({ slurmName }) => slurmName)
  if (waiting.length === 0) return changed
  const planned = recordsOf(picture)
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      if (hasChanged(planned.get(name), await client.findNode(name))) changed.add(name)
  }
  const looks = Promise.all(Array.from({ length: Math.min(MOST_LOOKS_AT_ONCE, waiting.length) }, work))
  await giveUpAfter(LOOKS_WITHIN_MS, looks, world.clock)
  waiting.length = 0 // of those under way nobody hears any more
  return new Set(changed)
}

async function giveUpAfter(ms: number, work: Promise<unknown>, clock: Acting['world']['clock']): Promise<void> {
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const cancel = clock.schedule(ms, resolve)
  await Promise.race([work, over]).finally(cancel)
}

function needsLook({ slurmList }: Picture, nowMs: number): (order: Order) => boolean {
  const ageMs = nowMs - (slurmList?.atMs ?? 0)
  return ({ do: what }) => ageMs > freshMs[what]
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
  return planned.reason !== found.reason || planned.states.includes('DRAIN') !== found.states.includes('DRAIN')
}
