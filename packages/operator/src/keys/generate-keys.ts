import { randomBytes as cryptoRandomBytes } from 'node:crypto'
import { annotationKeys, ourLabels, YES, type SecretKeySelector } from '@slurm-operator/api'
import { isFailure, secretResource, type Secret } from '@slurm-operator/kube'
import { FIELD_MANAGER, type Kept } from '../world/trim.ts'
import type { KeyHolder, KeyPass } from './key-holder.ts'

/** Bytes that nobody can guess. */
export type RandomBytes = (count: number) => Uint8Array

/** What a key is for. */
export type KeyKind = 'slurm' | 'jwt'

/** How long they are: Slurm takes any length for the first; for the second it is that of the hash. */
const lengths: Readonly<Record<KeyKind, number>> = { slurm: 1024, jwt: 32 }

/** Whether the object asks that this key is made if it is missing: `true` means both, else the word names one. */
export function wantsGeneratedKey({ metadata }: Pick<KeyHolder, 'metadata'>, kind: KeyKind): boolean {
  const asked = metadata.annotations?.[annotationKeys.generateKeys]
  return asked === YES || asked === kind
}

/** A Secret with one key. It has no owner and cannot be changed: losing it would lock out all parts of a Slurm cluster. */
function buildKeySecret(
  { metadata }: Pick<KeyHolder, 'metadata'>,
  { kind, ref }: { readonly kind: KeyKind; readonly ref: SecretKeySelector },
  randomBytes: RandomBytes,
): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: ref.name ?? '', namespace: metadata.namespace, labels: ourLabels },
    immutable: true,
    data: { [ref.key]: Buffer.from(randomBytes(lengths[kind])).toString('base64') },
  }
}

/** Make the Secret. If somebody else was faster, theirs is the one. */
export async function generateKey(
  holder: KeyHolder,
  wanted: { readonly kind: KeyKind; readonly ref: SecretKeySelector },
  { world, pass }: KeyPass,
  randomBytes: RandomBytes = cryptoRandomBytes,
): Promise<Kept<Secret> | undefined> {
  const secrets = world.client.resource(secretResource)
  const secret = buildKeySecret(holder, wanted, randomBytes)
  const options = { signal: pass.signal }
  try {
    const made = await secrets.create(secret, { ...options, fieldManager: FIELD_MANAGER })
    pass.log.info(`created Secret ${wanted.ref.name} with a new key`)
    return world.secrets.wrote(made)
  } catch (error) {
    if (!isFailure(error, 'AlreadyExists')) throw error
    const theirs = await secrets.find({ namespace: holder.metadata.namespace, name: wanted.ref.name ?? '' }, options)
    return theirs === undefined ? undefined : world.secrets.wrote(theirs)
  }
}
