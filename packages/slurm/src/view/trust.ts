import { isMemory, type FreshnessPace } from './knowledge-of.ts'
import type { Sightings } from './sightings.ts'

/** Whether what we know may be believed now, and why or why not. */
export interface Trust {
  readonly isTrusted: boolean
  readonly because: string
}

/** May the lists be believed at this moment? For people and for those who wait; each record has its own answer. */
export function trustIn(sightings: Sightings<unknown>, nowMs: number, pace: FreshnessPace): Trust {
  if (sightings.silence) return { isTrusted: false, because: sightings.silence.because }
  if (isMemory(sightings, nowMs, pace)) return { isTrusted: false, because: 'there is no list yet' }
  const vanished = [...sightings.doubts.values()].filter(({ why }) => why === 'vanished').length
  if (vanished > 0) return { isTrusted: false, because: `${vanished} records vanished at once` }
  return { isTrusted: true, because: 'a complete list was read' }
}
