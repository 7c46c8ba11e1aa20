import type { Clock, Random } from '../client/clock.ts'
import { mintToken } from './mint-token.ts'
import type { Secret } from './secret.ts'
import type { TokenSource } from './token-source.ts'

/** How to mint. */
export interface SigningKeyOptions {
  /** Read again for every token, so that a key changed in place is found. */
  readonly readKey: () => Secret | Promise<Secret>
  /** The Slurm user to be; `slurm` is an administrator. */
  readonly username?: string
  readonly lifetimeSeconds?: number
  readonly clock: Clock
  readonly random: Random
}

const LIFETIME_SECONDS = 15 * 60
/** At 80 % of its life a token is replaced: the rest is for requests under way and for clocks ahead of ours. */
const RENEW_AT = 0.8
/** After a refusal. The clock of Slurm's machine may be ahead by more than a life, and then none would ever do. */
const DOUBTED_LIFETIME_SECONDS = 2 * 3600

/**
 * Mint tokens on demand with the Slurm cluster's signing key, and renew them before they end. A slurmctld whose clock
 * is ahead refuses them early, and gets a new one that lives longer in the retry.
 */
export function signingKeySource(options: SigningKeyOptions): TokenSource {
  const { clock, random, readKey, username = 'slurm' } = options
  let lifetimeSeconds = options.lifetimeSeconds ?? LIFETIME_SECONDS
  let minted: { readonly token: Secret; readonly renewAtMs: number } | undefined

  const mint = async (): Promise<Secret> => {
    const key = await readKey()
    const nowMs = clock.now()
    const token = mintToken(key, { username, lifetimeSeconds, nowMs, random })
    minted = { token, renewAtMs: nowMs + lifetimeSeconds * 1000 * RENEW_AT }
    return token
  }
  return {
    current: async () => (minted && clock.now() < minted.renewAtMs ? minted.token : mint()),
    refuse: (token) => {
      if (minted?.token !== token) return // somebody else's refusal of it was first
      minted = undefined
      lifetimeSeconds = Math.max(lifetimeSeconds, DOUBTED_LIFETIME_SECONDS)
    },
    onChange: () => () => {},
    close: () => {
      minted = undefined
    },
  }
}
