import { describe, expect, test } from 'vitest'
import { buildDaemon, createSlurmKeys, passwdWith, type SlurmSettings } from './build-daemon.ts'
import type { DaemonName } from './layout.ts'

const root = {
  folder: '/root-of-slurm',
  release: '26.05',
  slurmUserId: 401,
  mysqlUserId: 999,
  databaseFolder: '/var/lib/mariadb',
  passwd: 'root:x:0:0::/root:/bin/sh\nslurm:x:401:401::/:/bin/false\n',
}
const settings: SlurmSettings = {
  root,
  accounting: true,
  extraConfig: '',
  restFlags: [],
  users: [],
  keys: createSlurmKeys(),
}
const commandOf = (name: DaemonName, more: Partial<SlurmSettings> = {}) =>
  buildDaemon(name, { ...settings, ...more }).command.join(' ')
const pathsOf = (name: DaemonName) => buildDaemon(name, settings).files.map(({ path }) => path)

describe('the plan of a daemon prevents that', () => {
  test('a daemon runs as a user it refuses to be', () => {
    expect(commandOf('slurmctld')).toContain('setpriv --reuid 401 --regid 401 --clear-groups -- slurmctld -D')
    expect(commandOf('slurmdbd')).toContain('--reuid 401 ')
    expect(commandOf('mariadb')).toContain('--reuid 999 ')
    expect(commandOf('slurmrestd')).toContain('--reuid 65534 ')
    expect(commandOf('worker-1')).toMatch(/^slurmd -D -Z /) // root
  })

  test('a key lies where it is not needed', () => {
    expect(pathsOf('slurmrestd')).toEqual(['/etc/slurm/slurm.conf'])
    expect(pathsOf('worker-1')).toEqual(['/etc/slurm/slurm.key'])
    expect(pathsOf('mariadb')).toEqual(['/etc/slurm/init.sql'])
  })

  test('Slurm refuses a key because everybody may read it', () => {
    for (const name of ['slurmctld', 'slurmdbd', 'worker-1'] as const) {
      const keys = buildDaemon(name, settings).files.filter(({ path }) => /\.key$|slurmdbd\.conf$/.test(path))
      expect(keys.map(({ mode, ownerId }) => ({ mode, ownerId }))).toEqual(
        keys.map(() => ({ mode: 0o600, ownerId: 401 })),
      )
    }
  })

  test('an old slurmctld counts as ready while a SIGTERM would get lost', () => {
    const old = { ...settings, root: { ...root, release: '24.11' } }
    expect(buildDaemon('slurmctld', old)).toMatchObject({ probe: { by: 'tcp' }, saysWhenReady: expect.any(String) })
    expect(buildDaemon('slurmctld', settings)).not.toHaveProperty('saysWhenReady') // it says so by HTTP
    expect(buildDaemon('slurmctld', settings).probe.by).toBe('http')
    expect(buildDaemon('slurmdbd', settings).probe.by).toBe('tcp')
  })

  test('a daemon of another release runs from the root of this one', () => {
    const other = { ...settings, root: { ...root, folder: '/root-of-another' } }
    expect(buildDaemon('slurmrestd', other).root).toBe('/root-of-another')
  })

  test('slurmrestd answers 401 to everything, or ends because a part of it is unknown', () => {
    expect(buildDaemon('slurmrestd', settings).env).toMatchObject({ SLURM_JWT: 'daemon' })
    expect(commandOf('slurmrestd')).toContain('-s slurmctld,slurmdbd,util 0.0.0.0:6820')
    expect(commandOf('slurmrestd', { accounting: false })).toContain('-s slurmctld,util ')
    expect(commandOf('slurmrestd', { root: { ...root, release: '24.11' } })).toContain('-s slurmctld,slurmdbd 0')
  })

  test('flags of a test come after the address and are taken for one', () => {
    expect(commandOf('slurmrestd', { restFlags: ['--max-connections', '3'] })).toMatch(
      /--max-connections 3 0\.0\.0\.0:6820$/,
    )
  })

  test('an older Slurm is asked for a health path that it does not have', () => {
    const old = { ...settings, root: { ...root, release: '24.11' } }
    expect(buildDaemon('slurmctld', settings).probe).toEqual({ port: 6817, by: 'http' })
    expect(buildDaemon('slurmctld', old).probe).toEqual({ port: 6817, by: 'tcp' })
    expect(buildDaemon('worker-3', old).probe).toEqual({ port: 6818, by: 'tcp' })
  })

  test('a worker says something else about itself than was asked', () => {
    expect(buildDaemon('worker-1', settings, 'CPUs=1 Feature=x').command.at(-1)).toBe('CPUs=1 Feature=x')
  })
})

test('two ordinary users share a number, or one takes that of a system user', () => {
  expect(
    passwdWith({ root, users: ['alice', 'bob'] })
      .split('\n')
      .slice(2),
  ).toEqual(['alice:x:2001:2001::/tmp:/bin/sh', 'bob:x:2002:2002::/tmp:/bin/sh', ''])
})
