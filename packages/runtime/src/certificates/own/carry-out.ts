import { X509Certificate } from 'node:crypto'
import { createAuthority, issueCertificate, type Validity } from '../issue-certificate.ts'
import { factsOf } from '../read-certificate.ts'
import { entries, type Kept, type Serving, type Signer } from './kept.ts'
import { BACKDATE_MS, type CertificatePolicy } from './policy.ts'
import type { CertificateStep } from './steps.ts'

/** What is needed to carry steps out, besides the Secret's present content. */
export interface Workshop {
  /** The name in the certificates, for people who look at them. */
  readonly commonName: string
  readonly nowMs: number
  readonly policy: CertificatePolicy
}

/** What the Secret holds after these steps. Keys are made here; nothing is written anywhere. */
export async function carryOut(steps: readonly CertificateStep[], kept: Kept, workshop: Workshop): Promise<Kept> {
  let state = kept
  for (const step of steps) state = await carryOutOne(step, state, workshop)
  return state
}

/** The texts of the Secret's entries for what is to be kept. */
export function printKept({ serving, trusted, signing, next }: Kept): Readonly<Record<string, string | undefined>> {
  return {
    [entries.certificate]: serving?.certificate,
    [entries.key]: serving?.key,
    [entries.trusted]: trusted.map(({ certificate }) => certificate).join(''),
    [entries.signingKey]: signing?.key,
    [entries.nextKey]: next?.key,
  }
}

async function carryOutOne(step: CertificateStep, kept: Kept, workshop: Workshop): Promise<Kept> {
  switch (step.do) {
    case 'create-authority': {
      const signer = await newAuthority(workshop)
      const { key: _secret, ...facts } = signer
      const trusted = [facts, ...kept.trusted]
      const signers = step.as === 'next' ? { next: signer } : { signing: signer, next: undefined }
      return { ...kept, trusted, ...signers }
    }
    case 'promote-next':
      return { ...kept, signing: kept.next, next: undefined }
    case 'issue-serving':
      return { ...kept, serving: await newServing(kept.signing, step.names, workshop) }
    case 'drop-authority':
      return dropAuthority(kept, step.fingerprint)
  }
}

function dropAuthority(kept: Kept, fingerprint: string): Kept {
  const stays = (signer: Signer | undefined) => (signer?.fingerprint === fingerprint ? undefined : signer)
  const trusted = kept.trusted.filter((authority) => authority.fingerprint !== fingerprint)
  return { ...kept, trusted, signing: stays(kept.signing), next: stays(kept.next) }
}

async function newAuthority({ commonName, nowMs, policy }: Workshop): Promise<Signer> {
  const pair = await createAuthority(`${commonName} authority`, validity(nowMs, policy.authorityLifeMs))
  return { ...factsOf(new X509Certificate(pair.certificate)), key: pair.key }
}

async function newServing(
  signing: Signer | undefined,
  names: readonly string[],
  { commonName, nowMs, policy }: Workshop,
): Promise<Serving> {
  if (signing === undefined) throw new Error('Cannot issue a serving certificate: no authority was made before it.')
  const { fromMs, untilMs } = validity(nowMs, policy.servingLifeMs)
  const life = { fromMs, untilMs: Math.min(untilMs, signing.untilMs) } // nothing outlives its authority
  const pair = await issueCertificate(signing, { commonName, servesAs: names, uses: 'server' }, life)
  const facts = factsOf(new X509Certificate(pair.certificate))
  return { ...facts, key: pair.key, signedBy: signing.fingerprint }
}

/** Certificates count in seconds: the beginning is rounded up, so that nothing ever looks older than it is. */
function validity(nowMs: number, lifeMs: number): Validity {
  return { fromMs: Math.ceil(nowMs / 1000) * 1000 - BACKDATE_MS, untilMs: nowMs + lifeMs }
}
