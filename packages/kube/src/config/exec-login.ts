import type { Clock } from '../transport/clock.ts'
import { parseExecCredential, type ExecCredential } from './exec-credential.ts'
import type { RunPlugin } from './run-plugin.ts'
import type { ExecPlugin } from './settings.ts'

const EARLY_SHARE = 0.2
const EARLIEST_MS = 5 * 60_000
const AFTER_FAILURE_MS = 10_000

/** Credentials from a plugin, kept as long as they are good. */
export interface ExecLogin {
  readonly current: () => Promise<ExecCredential>
  /** The server refused the last one. */
  readonly forget: () => void
}

/**
 * Ask a plugin when needed: before the last credential ends, and never twice at the same time. While an early renewal
 * fails, the old credential stays in use until it really ends.
 */
export function createExecLogin(plugin: ExecPlugin, clock: Clock, run: RunPlugin): ExecLogin {
  let last: ExecCredential | undefined
  let renewAtMs = Number.NEGATIVE_INFINITY
  let running: Promise<ExecCredential> | undefined

  const renew = async (): Promise<ExecCredential> => {
    try {
      last = parseExecCredential(await run(plugin), plugin)
      renewAtMs = planRenewal(last, clock.now())
      return last
    } catch (error) {
      if (last?.expiresAtMs === undefined || clock.now() >= last.expiresAtMs) throw error
      renewAtMs = clock.now() + AFTER_FAILURE_MS
      return last
    } finally {
      running = undefined
    }
  }
  return {
    async current() {
      if (last !== undefined && clock.now() < renewAtMs) return last
      running ??= renew()
      return running
    },
    forget() {
      last = undefined
    },
  }
}

/** When to ask for the next one: a fifth of its life before the end, but not more than five minutes. */
function planRenewal({ expiresAtMs }: ExecCredential, nowMs: number): number {
  if (expiresAtMs === undefined) return Number.POSITIVE_INFINITY
  return expiresAtMs - Math.min(EARLIEST_MS, Math.max(0, expiresAtMs - nowMs) * EARLY_SHARE)
}
