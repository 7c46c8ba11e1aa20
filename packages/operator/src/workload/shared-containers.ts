/**
 * Containers that several parts of Slurm have beside their daemon. Images come from the resource.
 *
 * @module
 */
import { containerNames, paths, users, volumeNames } from '@slurm-operator/api'
import type { Container } from '@slurm-operator/kube'
import { initconfScript, logfileScript, reconfigureScript } from './scripts.ts'

/** Prints a daemon's log. It starts before the daemon and ends after it. */
export function buildLogfileContainer(logFile: string): Container {
  return {
    name: containerNames.logfile,
    restartPolicy: 'Always',
    command: ['sh', '-c', logfileScript],
    env: [{ name: 'SOCKET', value: logFile }],
    volumeMounts: [{ name: volumeNames.logfile, mountPath: paths.logs }],
  }
}

/** Gives configuration and keys to Slurm's user before the daemons of a login pod start. */
export function buildInitconfContainer(): Container {
  return {
    name: containerNames.initconf,
    command: ['sh', '-c', initconfScript],
    env: [{ name: 'SLURM_USER', value: users.slurm.name }],
    volumeMounts: [
      { name: volumeNames.slurmEtc, mountPath: paths.configTarget },
      { name: volumeNames.slurmConfig, mountPath: paths.configSource, readOnly: true },
    ],
  }
}

/** Makes slurmctld read changed files without a restart. Its image is slurmctld's. */
export function buildReconfigureContainer(): Container {
  return {
    name: containerNames.reconfigure,
    restartPolicy: 'Always',
    command: ['tini', '-g', '--', 'bash', '-c', reconfigureScript],
    volumeMounts: [
      { name: volumeNames.slurmEtc, mountPath: paths.config, readOnly: true },
      { name: volumeNames.authSocket, mountPath: paths.slurmctldRun, readOnly: true },
    ],
  }
}

/** Where slurmctld is, for daemons that fetch their configuration from it. */
export function confServerArguments(host: string, port: number): readonly [string, string] {
  return ['--conf-server', `${host}:${port}`]
}
