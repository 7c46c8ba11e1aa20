/**
 * Projected volumes: files from Secrets and ConfigMaps side by side in one folder, with the mode that daemons insist on.
 *
 * @module
 */
import type { KeyToPath, Volume, VolumeMount, VolumeProjection } from '@slurm-operator/kube'

/** File modes; decimal in JSON, octal in people's heads. */
export const modes = {
  /** Only the owner: keys, and configuration with passwords. */
  private: 0o600,
  /** Everybody may read. */
  public: 0o644,
  /** slurmctld's folder: the owner writes, the group runs scripts in it. */
  slurmctldConfig: 0o610,
} as const

/** One entry of a Secret or ConfigMap, as our kinds refer to it. */
export interface EntryRef {
  readonly name?: string
  readonly key: string
  readonly optional?: boolean
}

/** A folder made of several sources. */
export function projectedVolume(name: string, defaultMode: number, sources: readonly VolumeProjection[]): Volume {
  return { name, projected: { defaultMode, sources } }
}

/** One entry of a Secret as a file. That the user called it optional is passed on: then the pod starts without it. */
export function secretFile(ref: EntryRef, path: string, mode?: number): VolumeProjection {
  return { secret: entryAsFile(ref, path, mode) }
}

/** One entry of a ConfigMap as a file. */
export function configMapFile(ref: EntryRef, path: string, mode?: number): VolumeProjection {
  return { configMap: entryAsFile(ref, path, mode) }
}

/** Some entries of one ConfigMap as files of the same names; without a list all of them. */
export function configMapFiles(name: string, files?: readonly string[], mode?: number): VolumeProjection {
  return { configMap: { name, ...(files && { items: files.map((file) => item(file, file, mode)) }) } }
}

/** Some entries of one Secret as files of the same names, with a mode for each. */
export function secretFiles(name: string, files: readonly string[], mode: (file: string) => number): VolumeProjection {
  return { secret: { name, items: files.map((file) => item(file, file, mode(file))) } }
}

/** A folder in memory: for sockets, logs and what must not reach a disk. */
export function memoryVolume(name: string): Volume {
  return { name, emptyDir: { medium: 'Memory' } }
}

/** One file of a volume at a place of its own. Such a mount is never refreshed: a change needs a new pod. */
export function fileMount(volume: string, folder: string, file: string): VolumeMount {
  return { name: volume, mountPath: `${folder}/${file}`, subPath: file, readOnly: true }
}

function entryAsFile({ name, key, optional }: EntryRef, path: string, mode: number | undefined) {
  return {
    name: name ?? '',
    items: [item(key, path, mode)],
    ...(optional !== undefined && { optional }),
  }
}

function item(key: string, path: string, mode: number | undefined): KeyToPath {
  return { key, path, ...(mode !== undefined && { mode }) }
}
