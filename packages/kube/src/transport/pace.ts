import type { Clock } from './clock.ts'

const BYTES_PER_TURN = 256 * 1024 // some milliseconds of reading

/** Let others go first after every so many bytes. Counted in bytes and not in time, so that simulations repeat exactly. */
export function createPace(clock: Clock): (bytes: number) => Promise<void> | undefined {
  let sinceLastTurn = 0
  return (bytes) => {
    sinceLastTurn += bytes
    if (sinceLastTurn < BYTES_PER_TURN) return undefined
    sinceLastTurn = 0
    return clock.breathe()
  }
}
