import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sleep, type Clock } from '@slurm-operator/kube'
import type { CertificateReads, CertificateSource } from '../certificate-source.ts'
import type { KeyPair } from '../key-pair.ts'
import { whyNoPair } from '../read-certificate.ts'

/** Two files that somebody else writes: a mounted Secret, cert-manager's volume, a folder of an administrator. */
export interface CertificateFiles {
  readonly folder: string
  readonly certificateName?: string
  readonly keyName?: string
  readonly clock: Clock
  readonly lookEveryMs?: number
  readonly reads?: CertificateReads
  /** The files are not there or do not fit together; the certificate in use stays, and we look again. */
  readonly onFailure?: (error: unknown) => void
}

const LOOK_EVERY_MS = 10_000

/**
 * A source that reads two files and reads them again when they may have changed. Their content is compared, not their
 * times: mounted Secrets are changed by moving a link, which no notification of the file system tells reliably.
 */
export function certificateFiles(files: CertificateFiles): CertificateSource {
  return { run: (use, signal) => keepReading(files, use, signal) }
}

async function keepReading(files: CertificateFiles, use: (pair: KeyPair) => void, signal: AbortSignal): Promise<void> {
  let inUse: KeyPair | undefined
  let told = ''
  while (!signal.aborted) {
    try {
      files.reads?.read()
      const pair = await readPair(files)
      if (!isSame(pair, inUse)) use(pair)
      inUse = pair
      told = ''
    } catch (error) {
      files.reads?.failed()
      const text = String(error)
      if (text !== told) files.onFailure?.(error) // once for each cause, not every ten seconds
      told = text
    }
    await sleep(files.clock, files.lookEveryMs ?? LOOK_EVERY_MS, signal).catch(() => {}) // only the signal ends it early
  }
}

async function readPair({
  folder,
  certificateName = 'tls.crt',
  keyName = 'tls.key',
}: CertificateFiles): Promise<KeyPair> {
  // One after the other, so that the same folder always gives the same error.
  const certificate = await read(join(folder, certificateName))
  const key = await read(join(folder, keyName))
  const why = whyNoPair(certificate, key)
  if (why !== undefined) throw new Error(`Cannot use the certificate in ${folder}: ${why}. Put a matching pair there.`)
  return { certificate, key }
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new Error(`Cannot read ${path}: ${codeOf(error)}. Put the certificate there.`, { cause: error })
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown cause'
}

function isSame(one: KeyPair, other: KeyPair | undefined): boolean {
  return one.certificate === other?.certificate && one.key === other.key
}
