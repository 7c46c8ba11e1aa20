import type { Witness } from './witness.ts'

/** What is wrong now: under a key that stays the same while it lasts, in words. */
export type Wrongs = ReadonlyMap<string, string>

/**
 * For what may be wrong for a while, but not for longer. To be told at every look what is wrong then; whatever is not
 * named has ended. Each is accused once.
 */
export function accuseLasting({ cluster, accuse }: Witness, patienceMs: number): (wrongs: Wrongs) => void {
  let known = new Map<string, { readonly sinceMs: number; told: boolean }>()
  return (wrongs) => {
    const nowMs = cluster.world.clock.monotonic()
    known = new Map([...wrongs.keys()].map((key) => [key, known.get(key) ?? { sinceMs: nowMs, told: false }]))
    for (const [key, wrong] of known) {
      if (wrong.told || nowMs - wrong.sinceMs <= patienceMs) continue
      wrong.told = true
      accuse(`for ${Math.round((nowMs - wrong.sinceMs) / 1000)} s ${wrongs.get(key) ?? ''}`)
    }
  }
}
