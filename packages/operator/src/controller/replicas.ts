import type { ControllerWithDefaults } from '@slurm-operator/api'

/** How many slurmctld: one, or a primary and its backups. */
export function replicasOf({ spec }: Pick<ControllerWithDefaults, 'spec'>): number {
  return spec.ha?.enabled === true ? 1 + spec.ha.backups : 1
}
