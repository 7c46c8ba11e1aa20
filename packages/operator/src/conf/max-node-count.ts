/** What Slurm clusters of the reference have; smaller ones gain nothing by less. */
const LEAST = 1024

/**
 * How many nodes slurmctld must have room for. Slurm needs it because workers come and go; records of workers that are
 * gone count, too, so there is some air. Powers of two, so that it changes seldom.
 */
export function deriveMaxNodeCount(wantedWorkers: number): number {
  let count = LEAST
  while (count < wantedWorkers * 1.25) count *= 2
  return count
}
