import { sleep, type Clock } from '@slurm-operator/kube'
import type { CertificateSource } from '../certificate-source.ts'
import { createAuthority, issueCertificate } from '../issue-certificate.ts'
import type { KeyPair } from '../key-pair.ts'
import { BACKDATE_MS } from '../own/policy.ts'

const LIFE_MS = 365 * 24 * 3600_000

/**
 * A source for servers whose clients do not verify them, such as a metrics port without a certificate of its own. It
 * lives in memory only and is made anew before it ends.
 */
export function selfSigned(names: readonly string[], clock: Clock): CertificateSource {
  return {
    run: async (use, signal) => {
      while (!signal.aborted) {
        use(await createSelfSigned(names, clock.now()))
        await sleep(clock, (LIFE_MS * 2) / 3, signal).catch(() => {}) // only the signal ends it early
      }
    },
  }
}

/** A certificate of an authority that nobody keeps: its key is forgotten at once. */
async function createSelfSigned(names: readonly string[], nowMs: number): Promise<KeyPair> {
  const validity = { fromMs: nowMs - BACKDATE_MS, untilMs: nowMs + LIFE_MS }
  const authority = await createAuthority('self-signed', validity)
  return issueCertificate(authority, { commonName: names[0] ?? 'localhost', servesAs: names, uses: 'server' }, validity)
}
