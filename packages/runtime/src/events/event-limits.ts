/** How much may be told. */
export interface EventLimits {
  /** New Events about one object: so many at once, then one each so often. More are dropped: nobody would read them. */
  readonly perObject: { readonly burst: number; readonly everyMs: number }
  /** Requests over all objects: so many at once, then so many a second. More wait. */
  readonly overall: { readonly burst: number; readonly perSecond: number }
  /** Events that wait to be sent. More are dropped. */
  readonly mostWaiting: number
  /** Series that are remembered. */
  readonly mostSeries: number
  /** The same again within this time is counted in the same Event. */
  readonly seriesMs: number
  /** The count of one series is written this often at most. */
  readonly countEveryMs: number
}

/** What an operator with thousands of objects can afford. */
export const defaultEventLimits: EventLimits = {
  perObject: { burst: 25, everyMs: 30_000 },
  overall: { burst: 100, perSecond: 20 },
  mostWaiting: 1_000,
  mostSeries: 4_000,
  seriesMs: 6 * 60_000,
  countEveryMs: 60_000,
}
