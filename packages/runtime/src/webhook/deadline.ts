/** What a handler gets at most, whatever the API server grants. */
export const LONGEST_REVIEW_MS = 10_000

/** Kept back from the API server's time-out, for the way there and back. */
const MARGIN_SHARE = 0.1
const SHORTEST_REVIEW_MS = 50

const units: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
}

/** How long a handler may think: the API server says in the address how long it waits, such as `?timeout=10s`. */
export function reviewTimeMs(timeout: string | null): number {
  const grantedMs = parseDuration(timeout ?? '')
  if (grantedMs === undefined) return LONGEST_REVIEW_MS
  return Math.max(SHORTEST_REVIEW_MS, Math.min(LONGEST_REVIEW_MS, grantedMs * (1 - MARGIN_SHARE)))
}

/** A duration as Go writes it: `1m30s`, `1.5s`. */
function parseDuration(text: string): number | undefined {
  if (!/^(\d{1,9}(\.\d{1,9})?(h|ms|m|s|us|µs|ns))+$/.test(text)) return undefined
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g)
  return Array.from(parts, ([, value, unit = '']) => Number(value) * (units[unit] ?? 0)).reduce(
    (sum, part) => sum + part,
    0,
  )
}
