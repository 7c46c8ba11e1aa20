import type { KeyPair } from '../key-pair.ts'
import { whyNoPair } from '../read-certificate.ts'
import { carryOut, printKept } from './carry-out.ts'
import type { KeeperOptions } from './keeper-options.ts'
import { entries } from './kept.ts'
import { planCertificates } from './plan.ts'
import { usualPolicy } from './policy.ts'
import { readKept } from './read-kept.ts'
import { decodeOurs, encodeOurs } from './secret-data.ts'
import type { StoredSecret } from './stores.ts'

/** What one pass found or made. */
export interface KeeperPass {
  readonly pair: KeyPair
  /** The authorities that clients must trust, as PEM. */
  readonly authorities: string
  readonly lookAgainAtMs: number
}

/** What a pass needs of all the settings. */
export type PassOptions = Pick<
  KeeperOptions,
  'secrets' | 'names' | 'commonName' | 'clock' | 'policy' | 'reads' | 'onStep'
>

/** Read, plan, write; again from the start as long as somebody else is faster. */
export async function keeperPass(options: PassOptions, signal: AbortSignal): Promise<KeeperPass> {
  for (;;) {
    signal.throwIfAborted()
    options.reads?.read()
    const stored = await options.secrets.read(signal)
    const pass = isKeptByOthers(stored) ? justUse(stored, options) : await keepOrChange(options, stored, signal)
    if (pass !== 'conflict') return pass
  }
}

async function keepOrChange(
  { names, commonName, clock, policy = usualPolicy, secrets, onStep }: PassOptions,
  stored: StoredSecret | undefined,
  signal: AbortSignal,
): Promise<KeeperPass | 'conflict'> {
  const texts = decodeOurs(stored?.data ?? {})
  const kept = readKept(texts)
  const nowMs = clock.now()
  const { steps, lookAgainAtMs } = planCertificates({ kept, names, nowMs, policy })
  if (steps.length === 0) return asPass(texts, lookAgainAtMs)

  const changed = await carryOut(steps, kept, { commonName, nowMs, policy })
  const change = { resourceVersion: stored?.resourceVersion, data: encodeOurs(changed) }
  if ((await secrets.write(change, signal)) === 'conflict') return 'conflict'
  for (const step of steps) onStep?.(step)
  return asPass(printKept(changed), nowMs) // look again at once: the next moment is read from what is there now
}

/** cert-manager marks what it keeps. We never change that, we only use it. */
function isKeptByOthers(stored: StoredSecret | undefined): stored is StoredSecret {
  return stored?.annotations !== undefined && 'cert-manager.io/certificate-name' in stored.annotations
}

function justUse({ data }: StoredSecret, { clock }: PassOptions): KeeperPass {
  return asPass(decodeOurs(data), clock.now() + usualPolicy.overlapMs)
}

function asPass(texts: Readonly<Record<string, string | undefined>>, lookAgainAtMs: number): KeeperPass {
  const {
    [entries.certificate]: certificate = '',
    [entries.key]: key = '',
    [entries.trusted]: authorities = '',
  } = texts
  const why = whyNoPair(certificate, key)
  if (why !== undefined)
    throw new Error(`Cannot use the certificate in the Secret: ${why}. Repair or delete the Secret.`)
  return { pair: { certificate, key }, authorities, lookAgainAtMs }
}
