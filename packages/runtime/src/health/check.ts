import type { Clock } from '@slurm-operator/kube'
import { withDeadline } from '../supervise/with-deadline.ts'

/** One named check. */
export interface HealthCheck {
  readonly name: string
  /** Why it fails; undefined: all is well. To throw is to fail. */
  readonly why: (signal: AbortSignal) => string | undefined | Promise<string | undefined>
}

/** What a check said. */
export interface CheckResult {
  readonly name: string
  readonly why: string | undefined
}

/** The check that says no more than that somebody answers. */
export const ping: HealthCheck = { name: 'ping', why: () => undefined }

const CHECK_TIMEOUT_MS = 5000

/** Run a check. Whatever it does, there is a result, and soon. */
export async function runCheck({ name, why }: HealthCheck, clock: Clock): Promise<CheckResult> {
  try {
    const limit = { clock, withinMs: CHECK_TIMEOUT_MS }
    return { name, why: await withDeadline(`check ${name}`, limit, async (signal) => why(signal)) }
  } catch (error) {
    return { name, why: error instanceof Error ? error.message : 'the check failed' }
  }
}
