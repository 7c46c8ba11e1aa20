import type { World } from '../world/world.ts'
import type { Observed } from './observe.ts'

/** So many workers take a hundredth of a second to look at, or to plan for. */
const MANY_WORKERS = 1000

/** Between looking, planning and telling of many workers, others have their turn: renewing the lease, answering probes. */
export async function breathe({ clock }: World, { picture }: Observed): Promise<void> {
  if (picture.workers.length >= MANY_WORKERS) await new Promise<void>((resolve) => void clock.schedule(0, resolve))
}
