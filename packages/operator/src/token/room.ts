import {
  tokenResource,
  tokenSecretKey,
  tokenSecretName,
  withTokenDefaults,
  type Token,
  type TokenWithDefaults,
} from '@slurm-operator/api'
import { printTime } from '@slurm-operator/kube'
import type { ComponentRoom, Judgement, RoomPass } from '../component/room.ts'
import { stateOf } from '../reasons/reasons.ts'
import { readSecretEntry } from '../world/entries.ts'
import { buildTokenChildren } from './build-secret.ts'
import { findClaims, type Claims } from './claims.ts'
import { observeToken, type TokenFacts } from './observe.ts'
import { renewalMs } from './plan-token.ts'
import { takeOverSecret } from './take-over-secret.ts'

/** A token that is minted, renewed, and re-issued when its key, user or lifetime change. */
export const tokenRoom: ComponentRoom<Token, TokenFacts, TokenWithDefaults> = {
  name: 'token',
  resource: tokenResource,
  cache: ({ caches }) => caches.tokens,
  withDefaults: withTokenDefaults,
  observe: observeToken,
  build: buildTokenChildren,
  act: takeOverSecret,
  judge,
}

function judge({ object, world, nowMs }: RoomPass<TokenWithDefaults>, { signingKey }: TokenFacts): Judgement {
  const name = tokenSecretName(object)
  const stored = world.secrets.find({ namespace: object.metadata.namespace, name })
  const token = stored && readSecretEntry(stored, tokenSecretKey(object))
  const claims = signingKey && token ? findClaims(token.toString('utf8'), signingKey) : undefined
  if (claims === undefined) return { state: stateOf('Starting', `Secret ${name} holds no token of ours yet.`) }
  const isRenewed = object.spec.refresh
  const fields = {
    issuedAt: printTime(claims.issuedAtMs),
    expirationTime: printTime(claims.expiresAtMs),
    nextRenewalTime: isRenewed ? printTime(renewalMs(claims)) : undefined,
  }
  const lookAgainInSeconds = isRenewed ? Math.max(1, (renewalMs(claims) - nowMs) / 1000) : undefined
  return {
    state: stateOfToken(claims, nowMs, name),
    fields,
    ...(lookAgainInSeconds !== undefined && { lookAgainInSeconds }),
  }
}

function stateOfToken({ username, expiresAtMs }: Claims, nowMs: number, name: string) {
  if (expiresAtMs <= nowMs)
    return stateOf('TokenExpired', `The token in Secret ${name} ended at ${printTime(expiresAtMs)}.`)
  return stateOf('Ready', `Secret ${name} holds a token for ${username}.`)
}
