/**
 * The keys by which the daemons of a Slurm cluster trust each other, as a Controller or an Accounting refers to them.
 *
 * @module
 */
import type { SecretKeySelector } from '@slurm-operator/api'
import type { ObjectKey, Secret } from '@slurm-operator/kube'
import type { Obstacle } from '../component/room.ts'
import { missing } from '../component/obstacles.ts'
import { hashOfMap } from '../workload/hash.ts'
import { readSecretEntries, readSecretEntry } from '../world/entries.ts'
import type { Kept } from '../world/trim.ts'
import type { KeyHolder, KeyPass } from './key-holder.ts'
import { generateKey, wantsGeneratedKey, type KeyKind, type RandomBytes } from './generate-keys.ts'

/** One key: the hash of its Secret, and why it cannot be used. */
interface KeyFact {
  readonly ref: SecretKeySelector
  /** Of all entries of the Secret; empty if there is none. */
  readonly hash: string
  readonly obstacle: Obstacle | undefined
}

/** Both keys. */
export interface KeyFacts {
  readonly slurm: KeyFact
  readonly jwt: KeyFact
}

const NO_REF: SecretKeySelector = { key: '' }

/** Which Secret holds the key of `auth/slurm`. */
export function slurmKeyRefOf({ spec }: Pick<KeyHolder, 'spec'>): SecretKeySelector {
  return spec.slurmKeyRef ?? NO_REF
}

/** Which Secret holds the key that tokens are signed with. */
export function jwtKeyRefOf({ spec }: Pick<KeyHolder, 'spec'>): SecretKeySelector {
  return spec.jwtKeyRef ?? spec.jwtHs256KeyRef ?? NO_REF
}

/** Read both keys. Those that do not exist are made once, if the object asks for it. */
export async function observeKeys(holder: KeyHolder, at: KeyPass, randomBytes?: RandomBytes): Promise<KeyFacts> {
  const observe = (kind: KeyKind, ref: SecretKeySelector) => observeKey(holder, { kind, ref }, at, randomBytes)
  // One after the other: both may be entries of the same Secret.
  const slurm = await observe('slurm', slurmKeyRefOf(holder))
  return { slurm, jwt: await observe('jwt', jwtKeyRefOf(holder)) }
}

/** What is in the way of using the keys. */
export function keyObstacles({ slurm, jwt }: KeyFacts): Obstacle[] {
  return [slurm.obstacle, jwt.obstacle].filter((obstacle) => obstacle !== undefined)
}

interface WantedKey {
  readonly kind: KeyKind
  readonly ref: SecretKeySelector
}

async function observeKey(
  holder: KeyHolder,
  { kind, ref }: WantedKey,
  at: KeyPass,
  randomBytes?: RandomBytes,
): Promise<KeyFact> {
  const { world, pass } = at
  const key: ObjectKey = { namespace: holder.metadata.namespace, name: ref.name ?? '' }
  const found = key.name === '' ? undefined : await world.secrets.read(key, { signal: pass.signal })
  const isMade = found === undefined && key.name !== '' && wantsGeneratedKey(holder, kind)
  const secret = isMade ? await generateKey(holder, { kind, ref }, at, randomBytes) : found
  const hash = secret === undefined ? '' : hashOfMap(readSecretEntries(secret))
  return { ref, hash, obstacle: whyUnusable(holder, ref, secret) }
}

function whyUnusable(
  { kind, metadata }: KeyHolder,
  { name, key, optional }: SecretKeySelector,
  secret: Kept<Secret> | undefined,
): Obstacle | undefined {
  const value = secret && readSecretEntry(secret, key)
  if (optional === true || value !== undefined) return undefined
  const whose = `${kind} ${metadata.name}`
  return missing(secret === undefined ? `Secret ${name ?? ''}` : `Entry ${key} of Secret ${name ?? ''}`, whose)
}
