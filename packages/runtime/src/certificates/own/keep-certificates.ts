/**
 * The thin layer around the plan: read the Secret, plan, write it, use it, tell the API server whom to trust.
 *
 * All replicas run this at once. The Secret's resourceVersion decides between them: whoever was slower reads again and
 * finds nothing left to do. A certificate is used only after it has been written, so all use the same one.
 *
 * @module
 */
import { sleep } from '@slurm-operator/kube'
import type { CertificateSource } from '../certificate-source.ts'
import { withDeadline } from '../../supervise/with-deadline.ts'
import type { KeyPair } from '../key-pair.ts'
import type { KeeperOptions } from './keeper-options.ts'
import { keeperPass } from './keeper-pass.ts'
import { usualPolicy, whyBadPolicy } from './policy.ts'
import { tellAuthorities } from './tell-authorities.ts'

const LOOK_EVERY_MS = 60_000
const LOOK_SOON_MS = 5000
const FIRST_RETRY_MS = 500
const PASS_TIMEOUT_MS = 30_000

/** A source that makes its own certificates and shares them with its replicas through a Secret. */
export function ownCertificates(options: KeeperOptions): CertificateSource {
  const why = whyBadPolicy(options.policy ?? usualPolicy) ?? (options.names.length === 0 && 'there is no name to serve')
  if (why) throw new Error(`Cannot keep own certificates: ${why}. Change the settings.`)
  return { run: (use, signal) => keepLooking(options, use, signal) }
}

async function keepLooking(options: KeeperOptions, use: (pair: KeyPair) => void, signal: AbortSignal): Promise<void> {
  const { clock, lookEveryMs = LOOK_EVERY_MS } = options
  const useOnce = onlyChanges(use)
  let failures = 0
  while (!signal.aborted) {
    let delayMs = 0
    try {
      delayMs = Math.min(lookEveryMs, await look(options, useOnce, signal))
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      options.reads?.failed()
      options.onFailure?.(error)
      delayMs = Math.min(lookEveryMs, FIRST_RETRY_MS * 2 ** failures)
      failures = Math.min(failures + 1, 20)
    }
    await sleep(clock, delayMs, signal).catch(() => {}) // only the signal ends it early, and then we stop
  }
}

/** One look at everything. Returns after how long to look again. */
async function look(options: KeeperOptions, use: (pair: KeyPair) => void, signal: AbortSignal): Promise<number> {
  const { clock, bundles } = options
  const startMs = clock.monotonic()
  const limit = { clock, withinMs: PASS_TIMEOUT_MS }
  return withDeadline('keep the certificate', limit, async (deadline) => {
    const either = AbortSignal.any([signal, deadline])
    const { pair, authorities, lookAgainAtMs } = await keeperPass(options, either)
    use(pair)
    if (clock.monotonic() - startMs > PASS_TIMEOUT_MS) return 0 // the process slept: what it read is not news any more
    const told = bundles === undefined ? 'all' : await tellAuthorities(bundles, authorities, either)
    const untilDueMs = Math.max(1000, lookAgainAtMs - clock.now())
    return told === 'all' ? untilDueMs : Math.min(untilDueMs, LOOK_SOON_MS)
  })
}

function onlyChanges(use: (pair: KeyPair) => void): (pair: KeyPair) => void {
  let inUse = ''
  return (pair) => {
    if (pair.certificate === inUse) return
    use(pair)
    inUse = pair.certificate
  }
}
