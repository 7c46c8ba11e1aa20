import { configFiles, controllerConfigMapName, volumeNames, type ControllerWithDefaults } from '@slurm-operator/api'
import type { Volume } from '@slurm-operator/kube'
import { jwtKeyRefOf, slurmKeyRefOf } from '../keys/observe-keys.ts'
import { configMapFile, configMapFiles, memoryVolume, modes, projectedVolume, secretFile } from '../workload/volumes.ts'
import { buildStateVolume } from './build-claim.ts'
import { fileMapNames } from './referenced-files.ts'

/** The volumes of a slurmctld pod. A claim that the StatefulSet makes is not among them. */
export function buildVolumes(controller: Pick<ControllerWithDefaults, 'metadata' | 'spec'>): Volume[] {
  const state = buildStateVolume(controller)
  return [
    configVolume(controller),
    memoryVolume(volumeNames.logfile),
    memoryVolume(volumeNames.run),
    { name: volumeNames.authSocket, emptyDir: {} },
    ...(state.kind === 'volume' ? [state.volume] : []),
  ]
}

function configVolume(controller: Pick<ControllerWithDefaults, 'metadata' | 'spec'>): Volume {
  const { metadata, spec } = controller
  return projectedVolume(volumeNames.slurmEtc, modes.slurmctldConfig, [
    configMapFiles(controllerConfigMapName(metadata.name)),
    secretFile(slurmKeyRefOf(controller), configFiles.slurmKey),
    secretFile(jwtKeyRefOf(controller), configFiles.jwtKey),
    ...fileMapNames(spec).map((name) => configMapFiles(name)),
    ...(spec.jwksKeyRef === undefined ? [] : [configMapFile(spec.jwksKeyRef, configFiles.jwks)]),
  ])
}
