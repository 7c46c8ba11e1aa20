import { tokenSecretKey, tokenSecretName, type TokenWithDefaults } from '@slurm-operator/api'
import type { ObjectKey, Secret as SecretObject } from '@slurm-operator/kube'
import { Secret } from '@slurm-operator/slurm'
import type { RoomPass } from '../component/room.ts'
import { readSecretEntry } from '../world/entries.ts'
import type { Kept } from '../world/trim.ts'
import { findClaims, type Claims } from './claims.ts'

/** What a Token is built from. */
export interface TokenFacts {
  /** undefined: the Secret or the entry in it does not exist. */
  readonly signingKey: Secret | undefined
  /** The Secret with the name that the Token wants, whoever made it. */
  readonly stored: Kept<SecretObject> | undefined
  /** Its token, if our key has signed it. */
  readonly claims: Claims | undefined
  /** The Secret with the signing key: other operators make it the owner of tokens. */
  readonly keySecret: Kept<SecretObject> | undefined
  readonly nowMs: number
  readonly random: () => number
}

/** The name of the Secret that holds the signing key. */
export function signingKeyRef({ metadata, spec }: TokenWithDefaults): ObjectKey & { readonly key: string } {
  const { name = '', key = '' } = spec.jwtKeyRef ?? spec.jwtHs256KeyRef ?? {}
  return { namespace: metadata.namespace, name, key }
}

/** Read the key and the Secret. */
export async function observeToken({ object, world, pass, nowMs }: RoomPass<TokenWithDefaults>): Promise<TokenFacts> {
  const ref = signingKeyRef(object)
  const options = { signal: pass.signal }
  const keySecret = await world.secrets.read(ref, options)
  const bytes = keySecret && readSecretEntry(keySecret, ref.key)
  const signingKey = bytes && new Secret(bytes)
  const stored = await world.secrets.read(
    { namespace: object.metadata.namespace, name: tokenSecretName(object) },
    options,
  )
  const token = stored && readSecretEntry(stored, tokenSecretKey(object))
  const claims = signingKey && token ? findClaims(token.toString('utf8'), signingKey) : undefined
  return { signingKey, stored, claims, keySecret, nowMs, random: world.random }
}
