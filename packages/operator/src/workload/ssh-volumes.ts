/**
 * What sshd and sssd read in login and worker pods.
 *
 * @module
 */
import { volumeNames } from '@slurm-operator/api'
import type { Volume, VolumeMount } from '@slurm-operator/kube'
import { configMapFiles, fileMount, modes, projectedVolume, secretFile, secretFiles, type EntryRef } from './volumes.ts'

/** The kinds of host keys, in the order of their files. */
const hostKeyTypes = ['rsa', 'ed25519', 'ecdsa'] as const

/** One of them. */
export type HostKeyType = (typeof hostKeyTypes)[number]

/** The files of an SSH ConfigMap. */
export type SshFile = 'sshd_config' | 'authorized_keys'

/** The file of a private host key; its public key has `.pub` behind. */
export function hostKeyFile(type: HostKeyType): string {
  return `ssh_host_${type}_key`
}

const hostKeyFiles = hostKeyTypes.flatMap((type) => [hostKeyFile(type), `${hostKeyFile(type)}.pub`])

/** All host keys from their Secret; sshd refuses private keys that others can read. */
export function hostKeyVolume(secretName: string): Volume {
  const mode = (file: string) => (file.endsWith('.pub') ? modes.public : modes.private)
  return projectedVolume(volumeNames.sshHostKeys, modes.private, [secretFiles(secretName, hostKeyFiles, mode)])
}

/** Each host key where sshd looks for it. */
export function hostKeyMounts(): VolumeMount[] {
  return hostKeyFiles.map((file) => fileMount(volumeNames.sshHostKeys, '/etc/ssh', file))
}

/** The SSH ConfigMap: workers have no authorized keys of root. */
export function sshConfigVolume(configMapName: string, files: readonly SshFile[]): Volume {
  const source = configMapFiles(configMapName, files, modes.private)
  return projectedVolume(volumeNames.sshConfig, modes.private, [source])
}

/** Its files where sshd looks for them. */
export function sshConfigMounts(files: readonly SshFile[]): VolumeMount[] {
  return files.map((file) => fileMount(volumeNames.sshConfig, sshFolders[file], file))
}

const sshFolders: Readonly<Record<SshFile, string>> = { sshd_config: '/etc/ssh', authorized_keys: '/root/.ssh' }

/** The user's sssd.conf; sssd refuses it if others can read it. */
export function sssdVolume(ref: EntryRef): Volume {
  return projectedVolume(volumeNames.sssdConf, modes.private, [secretFile(ref, 'sssd.conf', modes.private)])
}

/** Where sssd looks for it. */
export function sssdMount(): VolumeMount {
  return fileMount(volumeNames.sssdConf, '/etc/sssd', 'sssd.conf')
}
