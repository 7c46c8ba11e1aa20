import { ports, users } from '@slurm-operator/api'
import { assembleConf, type ConfFile } from './assemble-conf.ts'
import { authAltParameters } from './auth-alt-parameters.ts'
import { readExtraConf } from './extra-conf.ts'
import { setting, type Setting, type SettingSection } from './write-conf.ts'

/** What slurmdbd.conf is made of. */
export interface SlurmdbdConfInput {
  /** The pod of slurmdbd. */
  readonly host: string
  readonly port?: number
  readonly hasJwks?: boolean
  readonly storage: {
    readonly host: string
    readonly port: number
    readonly database: string
    readonly username?: string | undefined
    /** Never in a problem, an Event or a log. */
    readonly password: string
  }
  readonly extraConf?: string | null | undefined
}

/** The whole slurmdbd.conf. A password that Slurm's reader cannot read back is a problem, not a broken file. */
export function buildSlurmdbdConf(input: SlurmdbdConfInput): ConfFile {
  const extra = readExtraConf(input.extraConf, 'spec.extraConf')
  const lists = [authAltParameters(input.hasJwks), setting('AuthInfo', 'use_client_ids')]
  return assembleConf({ ours: ourSections(input, lists), lists, extra })
}

function ourSections({ host, port, storage }: SlurmdbdConfInput, lists: readonly Setting[]): SettingSection[] {
  return [
    {
      banner: 'GENERAL',
      settings: [
        setting('DbdHost', host),
        setting('DbdPort', port ?? ports.slurmdbd),
        setting('SlurmUser', users.slurm.name),
      ],
    },
    {
      banner: 'PLUGINS & PARAMETERS',
      settings: [setting('AuthType', 'auth/slurm'), setting('AuthAltTypes', 'auth/jwt'), ...lists],
    },
    { banner: 'STORAGE', settings: storageSettings(storage) },
    { banner: 'LOGGING', settings: [setting('LogFile', '/dev/null')] }, // it logs to its error output
  ]
}

function storageSettings({ host, port, database, username, password }: SlurmdbdConfInput['storage']): Setting[] {
  const path = 'spec.storageConfig'
  return [
    setting('StorageType', 'accounting_storage/mysql'),
    setting('StorageHost', host, `${path}.host`),
    setting('StoragePort', port, `${path}.port`),
    ...(username ? [setting('StorageUser', username, `${path}.username`)] : []),
    setting('StorageLoc', database, `${path}.database`),
    setting('StoragePass', password, `${path}.passwordKeyRef`),
  ]
}
