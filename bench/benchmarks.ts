/**
 * What can be measured. A benchmark compares and prints; it never fails because a machine is slow.
 *
 * @module
 */

import type { Benchmark } from './benchmark.ts'

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
  nodeset: {
    says: 'the whole operator with workers out, at rest, rolled and in: requests, CPU, memory, stalls, against the budgets',
    sizes: {
      workers: { usual: 1000, says: 'workers of one NodeSet, each on a Kube node of its own' },
      'rest-seconds': { usual: 60, says: 'how long to look while nothing moves' },
    },
    run: async (sizes, surroundings) => (await import('./nodeset/run.ts')).runNodeSet(sizes, surroundings),
  },
}
