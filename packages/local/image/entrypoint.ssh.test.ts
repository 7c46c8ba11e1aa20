import { describe, expect, test } from 'vitest'
import { Stage } from './gen.ts'

/** A worker whose operator mounted a sshd_config. */
function stageWithSsh(): Stage {
  const stage = new Stage()
  stage.write('proc/self/mounts', 'tmpfs /etc/ssh/sshd_config tmpfs ro 0 0\n')
  return stage
}

describe('ssh on a worker', () => {
  test('sshd runs in workers that have no SSH', async () => {
    const stage = new Stage()
    stage.write('etc/ssh/sshd_config', 'came with the image')
    expect((await stage.run(['slurmd'])).calls).toEqual([['slurmd', '-D']])
  })

  test('sshd does not run where it is wanted, or options of one daemon reach the other', async () => {
    const { calls } = await stageWithSsh().run(['slurmd', '-v'], { SSHD_OPTIONS: `-o 'Port 22'` })
    expect(calls).toHaveLength(4)
    expect(calls.slice(0, 2)).toEqual([
      ['ssh-keygen', '-A'],
      ['sshd', '-t', '-o', 'Port 22'],
    ])
    expect(calls).toContainEqual(['sshd', '-D', '-e', '-o', 'Port 22'])
    expect(calls).toContainEqual(['slurmd', '-D', '-v'])
  })

  test('a wrong sshd_config is noticed by the first user who cannot log in', async () => {
    const { code, stderr, calls } = await stageWithSsh().run(['slurmd'], { FAKE_sshd: 'exit 255' })
    expect(code).toBe(69)
    expect(stderr).toContain('Cannot start sshd: it refuses its configuration')
    expect(calls.map(([name]) => name)).not.toContain('slurmd')
  })

  test('users without a job may log in, or a restart writes the rule twice', async () => {
    const stage = stageWithSsh()
    await stage.run(['slurmd'])
    await stage.run(['slurmd'])
    expect(stage.read('etc/pam.d/sshd')).toBe(
      '# rules\n@include common-auth\naccount required pam_nologin.so\n' +
        'account required pam_slurm_adopt.so action_adopt_failure=deny action_generic_failure=deny\n' +
        '@include common-account\n',
    )
  })

  test('other rules for adoption are ignored', async () => {
    const stage = stageWithSsh()
    await stage.run(['slurmd'], { PAM_SLURM_ADOPT_OPTIONS: 'log_level=debug5 a&b\\1' })
    expect(stage.read('etc/pam.d/sshd')).toContain(
      '\naccount required pam_slurm_adopt.so log_level=debug5 a&b\\1\n@include',
    )
  })

  test('everybody may log in because the place for the rule was not found', async () => {
    const stage = stageWithSsh()
    stage.write('etc/pam.d/sshd', 'account required pam_unix.so\n')
    const { code, stderr } = await stage.run(['slurmd'])
    expect(code).toBe(69)
    expect(stderr).toContain('Cannot tie ssh sessions to jobs')
  })

  test('sssd runs without a configuration, or not with one', async () => {
    const stage = stageWithSsh()
    stage.addProgram('sssd')
    expect((await stage.run(['slurmd'])).calls.map(([name]) => name)).not.toContain('sssd')
    stage.write('etc/sssd/sssd.conf', '')
    expect((await stage.run(['slurmd'], { SSSD_OPTIONS: '-d 3' })).calls).toContainEqual(['sssd', '-i', '-d', '3'])
  })
})
