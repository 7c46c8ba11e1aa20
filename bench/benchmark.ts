/**
 * What a benchmark is, takes and gives.
 *
 * @module
 */

/** A number that may be chosen on the command line: `--pods 500`. */
export interface Size {
  readonly usual: number
  readonly says: string
}

/** What a benchmark found: text for people, and the same figures for programs. */
export interface Report {
  readonly lines: readonly string[]
  readonly figures: Readonly<Record<string, unknown>>
}

/** What a benchmark gets from the command. */
export interface Surroundings {
  /** Aborted when the person has seen enough: stop everything that was started. */
  readonly signal: AbortSignal
  /** One fact about how far it is. */
  readonly say: (line: string) => void
}

/** One benchmark. Its code is loaded only when it runs. */
export interface Benchmark {
  readonly says: string
  readonly sizes: Readonly<Record<string, Size>>
  readonly run: (sizes: Readonly<Record<string, number>>, surroundings: Surroundings) => Promise<Report>
}
