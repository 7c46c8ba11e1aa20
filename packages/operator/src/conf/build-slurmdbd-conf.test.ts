import { describe, expect, test } from 'vitest'
import { buildSlurmdbdConf, type SlurmdbdConfInput } from './build-slurmdbd-conf.ts'

const storage = { host: 'mariadb', port: 3306, database: 'slurm_acct_db', username: 'slurm', password: 'secret-word' }
const build = (change: Partial<SlurmdbdConfInput> = {}) =>
  buildSlurmdbdConf({ host: 'books-accounting-0', storage, ...change })

describe('slurmdbd.conf', () => {
  test('has all sections', () => {
    const extraConf = 'AuthInfo=Use_client_ids,socket=/run/X\nPrivateData=jobs'
    expect(build({ extraConf })).toEqual({
      text: `#
### GENERAL ###
DbdHost=books-accounting-0
DbdPort=6819
SlurmUser=slurm
#
### PLUGINS & PARAMETERS ###
AuthType=auth/slurm
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=/etc/slurm/jwt.key
AuthInfo=use_client_ids
#
### STORAGE ###
StorageType=accounting_storage/mysql
StorageHost=mariadb
StoragePort=3306
StorageUser=slurm
StorageLoc=slurm_acct_db
StoragePass=secret-word
#
### LOGGING ###
LogFile=/dev/null
#
### EXTRA CONFIG ###
AuthInfo=Use_client_ids,socket=/run/X
PrivateData=jobs
#
### MERGED CONFIG ###
AuthInfo=socket=/run/X,use_client_ids
`,
      problems: [],
    })
  })

  test('a password with # or blanks breaks the file', () => {
    const { text, problems } = build({ storage: { ...storage, password: 'a#b c\\' } })
    expect(text).toContain(String.raw`StoragePass="a\#b c\\"` + '\n')
    expect(problems).toEqual([])
  })

  test.each(['a\nStorageHost=evil', 'a "b', ''])('the password %j is refused, and not told', (password) => {
    const { text, problems } = build({ storage: { ...storage, password } })
    expect(text).not.toMatch(/StoragePass|evil/)
    expect(problems).toEqual([
      { path: 'spec.storageConfig.passwordKeyRef', problem: expect.not.stringContaining('evil') },
    ])
  })

  test('without a user there is no empty setting', () => {
    const { username: _left, ...rest } = storage
    expect(build({ storage: rest }).text).not.toContain('StorageUser')
  })

  test('what the user sets is not set twice', () => {
    expect(build({ extraConf: 'LogFile=/var/log/x' }).text.match(/LogFile/g)).toHaveLength(1)
  })
})
