/**
 * Names of the images that every node of a local cluster has. No registry answers to this host; nothing is pulled.
 *
 * @module
 */
import { SLURM_RELEASE } from '../programs/versions.ts'

const LOCAL_HOST = 'slurm-operator.local'

/** Holds the namespaces of a pod. */
export const PAUSE_IMAGE = `${LOCAL_HOST}/pause:1`

/** A shell with the usual small tools. */
export const SHELL_IMAGE = `${LOCAL_HOST}/busybox:1`

/** What the Slurm image can be: one file system, an entry point for each role. */
export const slurmRoles = ['slurmctld', 'slurmd', 'slurmdbd', 'slurmrestd', 'sackd', 'login', 'mariadb'] as const

/** The image of a role. */
export function slurmImage(role: (typeof slurmRoles)[number]): string {
  return `${LOCAL_HOST}/${role}:${SLURM_RELEASE}`
}
