import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Stage } from './gen.ts'

const DATABASE = { MARIADB_DATABASE: 'slurm_acct_db', MARIADB_USER: 'slurm', MARIADB_PASSWORD: `it's \\ secret` }

/** An image with a ready-made data folder and an empty volume. */
function stageWithVolume(): Stage {
  const stage = new Stage()
  for (const name of ['mysql/user', 'sys/config', 'ibdata1']) stage.write(`var/lib/mariadb/${name}`, 'image')
  mkdirSync(join(stage.root, 'var/lib/mysql'))
  return stage
}

describe('mariadb', () => {
  const MYSQL = { FAKE_UID: '999' }

  test('an empty volume stays empty', async () => {
    const stage = stageWithVolume()
    const { calls } = await stage.run(['mariadb', '--port=3307'], MYSQL)
    expect(calls[0]).toEqual(
      expect.arrayContaining(['mariadbd', '--no-defaults', '--datadir=/var/lib/mysql', '--port=3307']),
    )
    expect(['mysql/user', 'sys/config', 'ibdata1'].map((path) => stage.read(`var/lib/mysql/${path}`))).toEqual(
      Array(3).fill('image'),
    )
    expect(existsSync(join(stage.root, 'var/lib/mysql/.filling'))).toBe(false)
  })

  test('a restart overwrites the data', async () => {
    const stage = stageWithVolume()
    stage.write('var/lib/mysql/mysql/user', 'ours')
    await stage.run(['mariadb'], MYSQL)
    expect(stage.read('var/lib/mysql/mysql/user')).toBe('ours')
    expect(existsSync(join(stage.root, 'var/lib/mysql/ibdata1'))).toBe(false)
  })

  test('a copy that was cut short counts as complete', async () => {
    const stage = stageWithVolume()
    for (const name of ['sys/config', 'ibdata1', '.filling/mysql/user']) stage.write(`var/lib/mysql/${name}`, 'half')
    await stage.run(['mariadb'], MYSQL)
    expect(['mysql/user', 'sys/config', 'ibdata1'].map((path) => stage.read(`var/lib/mysql/${path}`))).toEqual(
      Array(3).fill('image'),
    )
  })

  test('a power cut while the volume is filled leaves half a database for good', async () => {
    const stage = stageWithVolume()
    stage.write('bin/mv', '#!/bin/sh\ncase $1 in */sys) exit 1 ;; esac\nexec /bin/mv "$@"\n', 0o755)
    expect(await stage.run(['mariadb'], MYSQL)).toMatchObject({ code: 1, calls: [] })
    stage.write('bin/mv', '#!/bin/sh\nexec /bin/mv "$@"\n', 0o755)
    await stage.run(['mariadb'], MYSQL)
    expect(stage.read('var/lib/mysql/sys/config')).toBe('image')
  })

  test('a quote in the password becomes a statement', async () => {
    const stage = stageWithVolume()
    const { calls, stderr } = await stage.run(['mariadb'], { ...MYSQL, ...DATABASE })
    const file = calls[0]?.find((arg) => arg.startsWith('--init-file='))?.slice('--init-file='.length) ?? ''
    expect(stage.read(file).split('\n')).toEqual([
      'CREATE DATABASE IF NOT EXISTS slurm_acct_db;',
      `CREATE USER IF NOT EXISTS 'slurm'@'%' IDENTIFIED BY 'it''s \\\\ secret';`,
      `GRANT ALL ON slurm_acct_db.* TO 'slurm'@'%';`,
      '',
    ])
    expect(stderr).not.toContain('secret')
  })

  test('a name with a quote becomes a statement, or an empty password a way in', async () => {
    for (const wrong of [{ MARIADB_USER: "x'; --" }, { MARIADB_USER: '' }, { MARIADB_PASSWORD: '' }]) {
      const { code, calls } = await stageWithVolume().run(['mariadb'], { ...MYSQL, ...DATABASE, ...wrong })
      expect({ code, calls }).toEqual({ code: 64, calls: [] })
    }
  })

  test('as root it refuses to start', async () => {
    const { calls } = await stageWithVolume().run(['mariadb'])
    expect(calls.slice(0, 2)).toEqual([
      ['chown', 'mysql:mysql', '/var/lib/mysql'],
      ['setpriv', '--reuid=mysql', '--regid=mysql', '--init-groups'],
    ])
    expect(calls[2]).toContain('--datadir=/var/lib/mysql')
  })
})
