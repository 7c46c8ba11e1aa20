import type { Clock } from '../client/clock.ts'
import { tokenExpiry } from './mint-token.ts'
import { Secret } from './secret.ts'
import type { TokenSource } from './token-source.ts'

/** Where somebody else puts the token. */
export interface GivenTokenOptions {
  readonly read: () => Secret | Promise<Secret>
  /** Call back whenever it may have changed; returns how to stop that. */
  readonly watch?: (changed: () => void) => () => void
  readonly clock: Clock
}

/** Use a token that somebody else mints and renews. It is read once, and again after a change or a refusal. */
export function givenTokenSource({ read, watch, clock }: GivenTokenOptions): TokenSource {
  const listeners = new Set<() => void>()
  let known: Secret | undefined
  const stopWatching = watch?.(() => {
    known = undefined
    for (const listener of listeners) listener()
  })
  return {
    current: async () => {
      if (known && !isExpired(known, clock.now())) return known
      known = cleanToken(await read())
      return known
    },
    refuse: (token) => {
      if (known === token) known = undefined
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => {
      stopWatching?.()
      listeners.clear()
      known = undefined
    },
  }
}

/** As people store it: with blanks around, or as `scontrol token` prints it. */
export function cleanToken(given: Secret): Secret {
  const text = given
    .reveal()
    .toString('utf8')
    .trim()
    .replace(/^SLURM_JWT=/, '')
  if (text === '') throw new Error('Cannot use the given token: it is empty. Put a JWT for slurmrestd there.')
  if (/[^\x21-\x7e]/.test(text)) {
    throw new Error('Cannot use the given token: it holds blanks or characters that no JWT has. Check what was stored.')
  }
  return new Secret(text)
}

function isExpired(token: Secret, nowMs: number): boolean {
  const expiresAtMs = tokenExpiry(token)
  return expiresAtMs !== undefined && expiresAtMs <= nowMs
}
