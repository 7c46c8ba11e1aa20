import type { AccountingWithDefaults } from '@slurm-operator/api'
import type { ConfigMap, Secret } from '@slurm-operator/kube'
import type { RoomPass } from '../component/room.ts'
import type { RandomBytes } from '../keys/generate-keys.ts'
import { observeKeys, type KeyFacts } from '../keys/observe-keys.ts'
import { readSecretEntry } from '../world/entries.ts'
import type { Kept } from '../world/trim.ts'

/** What an Accounting is built from, besides itself. */
export interface AccountingFacts {
  /** None for an external one: its keys are not ours. */
  readonly keys: KeyFacts | undefined
  /** undefined: the Secret or the entry in it does not exist. */
  readonly password: string | undefined
  /** The ConfigMap with the keys of others. */
  readonly jwks: Kept<ConfigMap> | undefined
}

/** Read the keys and the password of the database. */
export async function observeAccounting(
  at: RoomPass<AccountingWithDefaults>,
  randomBytes?: RandomBytes,
): Promise<AccountingFacts> {
  const { object, world, pass } = at
  const { namespace } = object.metadata
  const { external, storageConfig, jwksKeyRef } = object.spec
  if (external) return { keys: undefined, password: undefined, jwks: undefined }
  const options = { signal: pass.signal }
  const { name = '', key = '' } = storageConfig?.passwordKeyRef ?? {}
  const secret = name === '' ? undefined : await world.secrets.read({ namespace, name }, options)
  return {
    keys: await observeKeys(object, at, randomBytes),
    password: readText(secret, key),
    jwks: jwksKeyRef?.name ? await world.configMaps.read({ namespace, name: jwksKeyRef.name }, options) : undefined,
  }
}

function readText(secret: Kept<Secret> | undefined, key: string): string | undefined {
  return secret && readSecretEntry(secret, key)?.toString('utf8')
}
