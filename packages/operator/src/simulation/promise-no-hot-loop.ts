import type { Witness } from './witness.ts'

const MINUTE_MS = 60_000
/** A status is written once a second at most. */
const MOST_STATUS_WRITES = 62
const MOST_WRITES = 30

/** Nothing is written again and again: so many writes per object and minute, and no more. */
export function promiseNoHotLoop({ cluster, accuse }: Witness) {
  let counts = new Map<string, number>()
  let beganAtMs = 0
  cluster.listen({
    arrived: ({ target, method, path, body = '' }) => {
      const [place = ''] = path.split('?')
      // New objects have no path of their own yet.
      const name = method === 'POST' && target === 'kubernetes' ? (/"name":"([^"]+)"/.exec(body)?.[1] ?? '') : ''
      const key = `${target} ${method} ${place} ${name}`.trimEnd()
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
  })
  return {
    look: () => {
      const nowMs = cluster.world.clock.monotonic()
      if (nowMs - beganAtMs < MINUTE_MS) return
      const minutes = (nowMs - beganAtMs) / MINUTE_MS
      for (const [key, count] of counts) {
        const most = (key.includes('/status') ? MOST_STATUS_WRITES : MOST_WRITES) * minutes
        if (count > most) accuse(`${key} was sent ${count} times in ${minutes.toFixed(1)} minutes`)
      }
      counts = new Map()
      beganAtMs = nowMs
    },
  }
}
