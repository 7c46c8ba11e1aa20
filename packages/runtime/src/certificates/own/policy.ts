const HOUR_MS = 3600_000
const DAY_MS = 24 * HOUR_MS

/** How long things last in the life of an own authority. */
export interface CertificatePolicy {
  readonly authorityLifeMs: number
  readonly servingLifeMs: number
  /** Everybody who reads the authorities, or the serving certificate, reads them again at least this often. */
  readonly overlapMs: number
}

/** Three years, ninety days, one day: short enough that a change is nothing special, long enough for slow readers. */
export const usualPolicy: CertificatePolicy = {
  authorityLifeMs: 3 * 365 * DAY_MS,
  servingLifeMs: 90 * DAY_MS,
  overlapMs: DAY_MS,
}

/** Certificates begin to be good this long before they are made, since clocks differ. */
export const BACKDATE_MS = HOUR_MS

/** Why a policy cannot work: an authority has to outlive what it signs, with room for its successor. */
export function whyBadPolicy({ authorityLifeMs, servingLifeMs, overlapMs }: CertificatePolicy): string | undefined {
  if (!(overlapMs > 0)) return 'the overlap must be longer than nothing'
  if (servingLifeMs < 6 * overlapMs) return 'a serving certificate must live for six overlaps'
  if (authorityLifeMs < 2 * (servingLifeMs + 2 * overlapMs)) {
    return 'an authority must live twice as long as a serving certificate and two overlaps'
  }
  return undefined
}
