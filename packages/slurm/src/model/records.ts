/**
 * What a mapping makes of an answer. A list never fails as a whole: what cannot be read is named beside what can.
 *
 * @module
 */

/** The readable records of one answer, and why others could not be read. */
export interface Records<T> {
  /** False: the answer held no such list at all. Slurm does that for a single record that does not exist. */
  readonly listed: boolean
  readonly records: readonly T[]
  readonly unreadable: readonly Unreadable[]
  /** Slurm's own time of the last change, for `update_time`; undefined when it told none (an unchanged job list). */
  readonly lastUpdateInSeconds: number | undefined
}

/** One record that we lost, so that nobody takes its silence for its absence. */
export interface Unreadable {
  /** Its place in the list. */
  readonly index: number
  /** Its name or id, if that much could be read. */
  readonly name: string | undefined
  readonly because: string
  /** The nodes of a job, as a hostlist, if that much could be read. */
  readonly nodes?: string
}

/** The one record of an answer that holds exactly one, such as `diag`. */
export type Single<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'unreadable'; readonly because: string }
