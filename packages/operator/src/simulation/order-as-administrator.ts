import type { Stage } from './happening.ts'

/** Somebody orders something of Slurm, and answers for it. Whether slurmctld did it; it may be away, or refuse. */
export function orderAsAdministrator({ cluster, promises }: Stage, slurmNode: string, give: () => unknown): boolean {
  try {
    promises.noteOrder(slurmNode)
    return cluster.machines.excuse('an administrator', give) === undefined
  } catch {
    return false
  }
}
