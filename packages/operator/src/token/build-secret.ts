import { ourLabels, tokenSecretKey, tokenSecretName, tokenUser, type TokenWithDefaults } from '@slurm-operator/api'
import {
  buildControllerReference,
  durationInMs,
  parseDuration,
  type KubeObject,
  type Secret,
} from '@slurm-operator/kube'
import { mintToken } from '@slurm-operator/slurm'
import type { Obstacle, Wish } from '../component/room.ts'
import { inheritEntries } from '../workload/inherited-metadata.ts'
import type { Kept } from '../world/trim.ts'
import { signingKeyRef, type TokenFacts } from './observe.ts'
import { whyReissue, type WantedToken } from './plan-token.ts'

/** What the Token asks for, in plain numbers. */
function wantedToken(token: TokenWithDefaults): WantedToken {
  const lifetimeMs = durationInMs(parseDuration(token.spec.lifetime))
  return { username: tokenUser(token), lifetimeMs, isRenewed: token.spec.refresh }
}

/** The Secret with the token: the one that is there for as long as it will do, else a new one. */
export function buildTokenChildren(token: Kept<TokenWithDefaults>, facts: TokenFacts): Wish {
  const { signingKey, stored, claims, nowMs, random } = facts
  if (signingKey === undefined) return { children: [], obstacles: [missingKey(token)] }
  if (isLeftByOthers(facts)) return { children: [], obstacles: [] } // `act` makes it ours first
  const wanted = wantedToken(token)
  if (whyReissue(wanted, claims, nowMs) === undefined && stored !== undefined) {
    return {
      children: mustBeRecreated(token, stored) ? [] : [secretWith(token, stored.data?.[tokenSecretKey(token)] ?? '')],
      obstacles: [],
    }
  }
  if (stored?.immutable === true) return { children: [], obstacles: [] } // it goes first, and is made again when it is gone
  const { username, lifetimeMs } = wanted
  const minted = mintToken(signingKey, { username, lifetimeSeconds: lifetimeMs / 1000, nowMs, random })
  return { children: [secretWith(token, minted.reveal().toString('base64'))], obstacles: [] }
}

/** It was made as one that cannot be changed, and now is to be renewed. */
function mustBeRecreated({ spec }: TokenWithDefaults, { immutable }: Secret): boolean {
  return spec.refresh && immutable === true
}

function secretWith(token: Kept<TokenWithDefaults>, encoded: string): KubeObject {
  const { namespace, labels, annotations } = token.metadata
  const object: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: tokenSecretName(token),
      ...(namespace !== undefined && { namespace }),
      labels: { ...inheritEntries(labels), ...ourLabels },
      annotations: inheritEntries(annotations),
      ownerReferences: [buildControllerReference(token)],
    },
    immutable: !token.spec.refresh,
    data: { [tokenSecretKey(token)]: encoded },
  }
  return object
}

/** Another operator of this API makes the Secret with the signing key the owner of its tokens. */
export function isLeftByOthers({ stored, keySecret, claims }: TokenFacts): boolean {
  if (stored === undefined || keySecret === undefined || claims === undefined) return false
  return (stored.metadata.ownerReferences ?? []).some(({ uid }) => uid === keySecret.metadata.uid)
}

function missingKey(token: TokenWithDefaults): Obstacle {
  const { name, key } = signingKeyRef(token)
  return {
    reason: 'WaitingForReference',
    because: `The signing key is missing: there is no Secret ${name} with an entry ${key}.`,
  }
}
