import { describe, expect, test } from 'vitest'
import { buildAuthorizedKeys, buildSshdConfig } from './build-ssh-config.ts'

describe('sshd_config', () => {
  test('of login pods, as on running clusters: another text would restart them', () => {
    expect(buildSshdConfig({ of: 'login', extraSshdConfig: 'MaxAuthTries 2\n' })).toBe(`#
### GENERAL ###
Include /etc/ssh/sshd_config.d/*.conf
UsePAM yes
X11Forwarding yes
Subsystem sftp internal-sftp
#
### EXTRA CONFIG ###
MaxAuthTries 2

`)
  })
  test('of worker pods', () => {
    const text = buildSshdConfig({ of: 'worker', extraSshdConfig: 'X11Forwarding yes' })
    expect(text.split('\n').slice(2, 6)).toEqual([
      'Include /etc/ssh/sshd_config.d/*.conf',
      'UsePAM yes',
      'Subsystem sftp internal-sftp',
      'AuthenticationMethods publickey password',
    ])
    expect(text.endsWith('### EXTRA CONFIG ###\nX11Forwarding yes\n')).toBe(true)
  })
  test('a container port that sshd does not listen on', () => {
    expect(buildSshdConfig({ of: 'login', port: 2222 })).toContain('\nPort 2222\n')
    expect(buildSshdConfig({ of: 'login', port: 22 })).not.toContain('Port ')
  })
})

describe('authorized_keys of root', () => {
  test('are the keys of the resource, and nothing when there are none', () => {
    expect(buildAuthorizedKeys('ssh-ed25519 AAAA one')).toEqual({
      value: '#\n### SLINKY ###\nssh-ed25519 AAAA one\n',
      problems: [],
    })
    expect(buildAuthorizedKeys(undefined).value).toBe('#\n### SLINKY ###\n\n')
  })
  test('a line that sshd would silently ignore', () => {
    const { problems } = buildAuthorizedKeys('# mine\nfrom="*" ecdsa-sha2-nistp256 AAAA\nAAAA ssh')
    expect(problems).toEqual([
      expect.objectContaining({ problem: expect.stringContaining('line 3'), severity: 'warning' }),
    ])
  })
})
