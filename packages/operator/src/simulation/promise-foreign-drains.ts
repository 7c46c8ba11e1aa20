import type { Witness } from './witness.ts'

const OURS = 'slurm-operator: '
/** An order of ours rests on an answer that came so shortly before, and that is as old as it was on its way. */
const CROSSING_MS = { drain: 3_000, undrain: 1_000 }

/** What somebody else drained, or set DOWN, stays so, and for the reason that they gave. */
export function promiseForeignDrains({ cluster, orders, accuse }: Witness): void {
  const { slurm, machines } = cluster
  const foreign = new Map<string, string>()
  let last = { atMs: -Infinity, tookMs: 0 }
  let orderedAtMs = 0
  cluster.listen({
    answered: (answer) => (last = answer),
    arrived: ({ target, atMs }) => (orderedAtMs = target === 'slurm' ? atMs : orderedAtMs),
  })
  const crossingMs = (order: keyof typeof CROSSING_MS): number => {
    const nowMs = cluster.world.clock.monotonic()
    const isJustNow = nowMs - last.atMs < CROSSING_MS[order]
    // A slurmrestd that stalls carries out later what we ordered before.
    return nowMs - orderedAtMs + CROSSING_MS[order] + (isJustNow ? last.tookMs : 0)
  }
  slurm.onChange((kind, name) => {
    if (kind !== 'nodes') return
    const record = slurm.truth.node(name)?.record
    const before = foreign.get(name)
    const isClosed = record?.flags.has('DRAIN') === true || record?.isDown === true
    const isCrossing = orders.isWithin(name, crossingMs(record === undefined || isClosed ? 'drain' : 'undrain'))
    if (before !== undefined && machines.actingFor() === undefined && !isCrossing) {
      if (record === undefined) accuse(`the record of ${name} was deleted, with the drain of somebody else: ${before}`)
      else if (!isClosed)
        accuse(`${name} was given back, though somebody else had drained it, or set it DOWN: ${before}`)
      else if (record.reason !== before) accuse(`the reason of ${name} was changed from ${before} to ${record.reason}`)
    }
    const isForeign = isClosed && record !== undefined && record.reason !== '' && !record.reason.startsWith(OURS)
    if (isForeign && record.reasonSetBy !== 'slurm') foreign.set(name, record.reason)
    else foreign.delete(name)
  })
}
