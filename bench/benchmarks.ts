/**
 * What can be measured. A benchmark compares and prints; it never fails because a machine is slow.
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

/** All benchmarks by name, as in `npm run bench -- kube`. */
export const benchmarks: Readonly<Record<string, Benchmark>> = {
  kube: {
    says: 'cache and client against @kubernetes/client-node on a real API server: memory, CPU, stalls, calls',
    sizes: {
      pods: { usual: 10_000, says: 'pods that are listed and kept' },
      updates: { usual: 30_000, says: 'changes of them, sent by another process' },
      calls: { usual: 2_000, says: 'small GETs, one after the other' },
      'update-seconds': { usual: 300, says: 'when these are over, fewer updates must do; the report says how many' },
    },
    run: async (sizes, surroundings) => (await import('./kube/run.ts')).runKube(sizes, surroundings),
  },
  slurm: {
    says: 'the shared view of a Slurm cluster against reading everything plainly: bytes, CPU, stalls, wake-ups',
    sizes: {
      nodes: { usual: 10_000, says: 'Slurm nodes' },
      jobs: { usual: 10_000, says: 'jobs, running and pending' },
      'rest-seconds': { usual: 60, says: 'how long to look while nothing moves' },
      'motion-seconds': { usual: 60, says: 'how long to look while something changes every second' },
    },
    run: async (sizes, surroundings) => (await import('./slurm.ts')).runSlurm(sizes, surroundings),
  },
}
