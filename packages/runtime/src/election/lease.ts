/** What a Lease says about who leads. */
export interface LeaseRecord {
  /** '': nobody; the last leader gave it up. */
  readonly holder: string
  readonly durationSeconds: number
  /** By the clock of the holder: for people. Nobody else may count with it. */
  readonly acquiredAtMs: number
  readonly renewedAtMs: number
  readonly transitions: number
}

/** A Lease as the server has it. */
export interface StoredLease {
  readonly record: LeaseRecord
  /** A write with an old one fails. */
  readonly version: string
}

/** How long a call may take. */
export interface CallLimit {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Where the Lease is. Writes throw a `KubeError`: `AlreadyExists`, `Conflict`, `NotFound` … */
export interface LeaseStore {
  /** For people: `namespace/name`. */
  readonly place: string
  readonly read: (limit: CallLimit) => Promise<StoredLease | undefined>
  readonly create: (record: LeaseRecord, limit: CallLimit) => Promise<StoredLease>
  readonly update: (record: LeaseRecord, version: string, limit: CallLimit) => Promise<StoredLease>
}
