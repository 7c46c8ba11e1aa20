import { describe, expect, test } from 'vitest'
import {
  buildInitconfContainer,
  buildLogfileContainer,
  buildReconfigureContainer,
  confServerArguments,
} from './shared-containers.ts'
import { hostKeyMounts, hostKeyVolume, sshConfigMounts, sshConfigVolume, sssdMount, sssdVolume } from './ssh-volumes.ts'
import { configMapFile, configMapFiles, memoryVolume, modes, projectedVolume, secretFile } from './volumes.ts'

describe('side containers', () => {
  test('live as long as the daemon beside them', () => {
    const containers = [buildLogfileContainer('/var/log/slurm/slurmd.log'), buildReconfigureContainer()]
    expect(containers.map(({ restartPolicy }) => restartPolicy)).toEqual(['Always', 'Always'])
    expect(buildInitconfContainer().restartPolicy).toBeUndefined()
  })
  test('know the log file', () => {
    expect(buildLogfileContainer('/var/log/slurm/slurmd.log').env).toEqual([
      { name: 'SOCKET', value: '/var/log/slurm/slurmd.log' },
    ])
  })
  test('a daemon finds slurmctld', () =>
    expect(confServerArguments('slurm-controller.hpc', 6817)).toEqual(['--conf-server', 'slurm-controller.hpc:6817']))
})

describe('volumes', () => {
  test('a key that may be missing keeps no pod from starting', () => {
    expect(secretFile({ name: 's', key: 'k', optional: true }, 'slurm.key')).toEqual({
      secret: { name: 's', items: [{ key: 'k', path: 'slurm.key' }], optional: true },
    })
    expect(configMapFile({ name: 'm', key: 'k' }, 'jwks.json', modes.private)).toEqual({
      configMap: { name: 'm', items: [{ key: 'k', path: 'jwks.json', mode: 384 }] },
    })
  })
  test('without a list of files all of them are mounted', () => {
    expect(projectedVolume('slurm-etc', modes.slurmctldConfig, [configMapFiles('config')])).toEqual({
      name: 'slurm-etc',
      projected: { defaultMode: 392, sources: [{ configMap: { name: 'config' } }] },
    })
    expect(memoryVolume('run')).toEqual({ name: 'run', emptyDir: { medium: 'Memory' } })
  })
})

describe('what sshd reads', () => {
  test('private host keys are closed and public ones open', () => {
    const items = hostKeyVolume('front-ssh-host-keys').projected?.sources?.[0]?.secret?.items ?? []
    expect(items.map(({ key, mode }) => [key, mode])).toEqual([
      ['ssh_host_rsa_key', 384],
      ['ssh_host_rsa_key.pub', 420],
      ['ssh_host_ed25519_key', 384],
      ['ssh_host_ed25519_key.pub', 420],
      ['ssh_host_ecdsa_key', 384],
      ['ssh_host_ecdsa_key.pub', 420],
    ])
    expect(hostKeyMounts()[1]).toEqual({
      name: 'ssh-host-keys',
      mountPath: '/etc/ssh/ssh_host_rsa_key.pub',
      subPath: 'ssh_host_rsa_key.pub',
      readOnly: true,
    })
  })
  test('each file stands where its daemon looks', () => {
    const mounts = [...sshConfigMounts(['sshd_config', 'authorized_keys']), sssdMount()]
    expect(mounts.map(({ mountPath }) => mountPath)).toEqual([
      '/etc/ssh/sshd_config',
      '/root/.ssh/authorized_keys',
      '/etc/sssd/sssd.conf',
    ])
    const [ssh, sssd] = [sshConfigVolume('front-ssh-config', ['sshd_config']), sssdVolume({ name: 'sssd', key: 'x' })]
    const modesOf = [ssh.projected?.sources?.[0]?.configMap, sssd.projected?.sources?.[0]?.secret]
    expect(modesOf.map((source) => source?.items?.map(({ mode }) => mode))).toEqual([[384], [384]])
  })
})
