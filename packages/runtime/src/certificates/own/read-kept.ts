import type { KeyObject, X509Certificate } from 'node:crypto'
import { maySign } from '../issue-certificate.ts'
import {
  factsOf,
  findCertificate,
  findPrivateKey,
  isSignedBy,
  splitCertificates,
  whyNoPair,
} from '../read-certificate.ts'
import { entries, type Kept, type SecretTexts, type Serving, type Signer } from './kept.ts'

/** Read a Secret, whoever wrote it: never throws, believes nothing that does not fit together. */
export function readKept(texts: SecretTexts): Kept {
  const problems: string[] = []
  const trusted = readTrusted(texts[entries.trusted] ?? '', problems)
  return {
    trusted: trusted.map(factsOf),
    signing: readSigner(entries.signingKey, texts, trusted, problems),
    next: readSigner(entries.nextKey, texts, trusted, problems),
    serving: readServing(texts, trusted, problems),
    problems,
  }
}

function readTrusted(text: string, problems: string[]): X509Certificate[] {
  const found = new Map<string, X509Certificate>()
  for (const block of splitCertificates(text)) {
    const certificate = findCertificate(block)
    if (certificate === undefined) problems.push(`${entries.trusted}: a certificate in it cannot be read`)
    else found.set(certificate.fingerprint256, certificate)
  }
  return [...found.values()]
}

function readSigner(
  entry: string,
  texts: SecretTexts,
  trusted: readonly X509Certificate[],
  problems: string[],
): Signer | undefined {
  const text = texts[entry]
  if (text === undefined) return undefined
  const key = findPrivateKey(text)
  const certificate = key && trusted.find((candidate) => candidate.ca && candidate.checkPrivateKey(key))
  if (certificate !== undefined && key !== undefined && maySign(key)) return { ...factsOf(certificate), key: text }
  problems.push(`${entry}: ${whyNoSigner(key, certificate)}`)
  return undefined
}

function whyNoSigner(key: KeyObject | undefined, certificate: X509Certificate | undefined): string {
  if (key === undefined) return 'the key cannot be read'
  return certificate === undefined ? 'no trusted authority has this key' : 'the key is not on the P-256 curve'
}

function readServing(texts: SecretTexts, trusted: readonly X509Certificate[], problems: string[]): Serving | undefined {
  const { [entries.certificate]: chain, [entries.key]: key } = texts
  if (chain === undefined || key === undefined) return undefined
  const why = whyNoPair(chain, key)
  const certificate = findCertificate(chain)
  if (why !== undefined || certificate === undefined) {
    problems.push(`${entries.certificate}: ${why ?? 'it cannot be read'}`)
    return undefined
  }
  const links = splitCertificates(chain)
    .slice(1)
    .flatMap((block) => findCertificate(block) ?? [])
  const signedBy = findRoot(certificate, links, trusted)?.fingerprint256
  return { ...factsOf(certificate), certificate: chain, key, signedBy }
}

/** The trusted authority at the end of a chain; the links between may come in any order. */
function findRoot(
  certificate: X509Certificate,
  links: readonly X509Certificate[],
  trusted: readonly X509Certificate[],
): X509Certificate | undefined {
  const root = trusted.find((authority) => isSignedBy(certificate, authority))
  const link = root ? undefined : links.find((candidate) => isSignedBy(certificate, candidate))
  return link === undefined
    ? root
    : findRoot(
        link,
        links.filter((other) => other !== link),
        trusted,
      )
}
