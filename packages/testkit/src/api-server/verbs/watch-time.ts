import type { ServerCore } from '../core.ts'

const SHORTEST_LIFE_S = 1800
const LAST_BOOKMARK_MS = 2000

/** What time does to a watch. */
export interface WatchTime {
  readonly end: () => void
  /** Say how far the watch has come; undefined if the caller did not ask for it. */
  readonly bookmark: (() => void) | undefined
}

/** End a watch in time: as asked, or after half an hour to an hour. Tell how far it has come every minute and at last. */
export function keepWatchTime(
  { clock, random, bookmarkEveryMs }: ServerCore,
  query: URLSearchParams,
  { end, bookmark }: WatchTime,
): () => void {
  const asked = Number(query.get('timeoutSeconds') ?? 0)
  const lifeMs = (asked > 0 ? asked : SHORTEST_LIFE_S * (1 + random.next())) * 1000
  const stops = [clock.schedule(lifeMs, end)]
  if (bookmark !== undefined) {
    if (lifeMs > LAST_BOOKMARK_MS) stops.push(clock.schedule(lifeMs - LAST_BOOKMARK_MS, bookmark))
    stops.push(repeat(bookmark))
  }
  return () => stops.forEach((stop) => stop())

  function repeat(action: () => void): () => void {
    let stop = () => {}
    const next = () => {
      stop = clock.schedule(bookmarkEveryMs, () => {
        action()
        next()
      })
    }
    next()
    return () => stop()
  }
}
