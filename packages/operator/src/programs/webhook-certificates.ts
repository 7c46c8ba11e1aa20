/**
 * Where the certificate of the admission server comes from: our own authority, or files that somebody else writes.
 *
 * @module
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client, Clock } from '@slurm-operator/kube'
import {
  certificateFiles,
  createBundleStore,
  createSecretStore,
  ownCertificates,
  type CertificateReads,
  type CertificateSource,
  type Logger,
} from '@slurm-operator/runtime'

/** What the flags say about certificates. */
export interface CertificateSettings {
  readonly 'cert-secret': string
  readonly 'cert-service': string
  readonly 'webhook-configurations': readonly string[]
}

/** What sources of certificates need. */
export interface CertificateTools {
  readonly client: Client
  readonly clock: Clock
  readonly log: Logger
  readonly reads: CertificateReads
}

/** How we keep our own certificates. */
export interface OwnCertificates {
  readonly secret: { readonly namespace: string; readonly name: string }
  readonly names: readonly string[]
  readonly validating: readonly string[]
  readonly mutating: readonly string[]
}

/** Where people have always put the files. */
const CERTIFICATE_FOLDER = join(tmpdir(), 'k8s-webhook-server', 'serving-certs')

/** The source that the flags ask for. Throws an error for people. */
export function createCertificateSource(settings: CertificateSettings, tools: CertificateTools): CertificateSource {
  const { client, clock, log, reads } = tools
  const own = parseOwnCertificates(settings)
  const onFailure = (error: unknown) => log.error('the certificate is not renewed now, and tried again', { error })
  if (own === undefined) return certificateFiles({ folder: CERTIFICATE_FOLDER, clock, reads, onFailure })
  return ownCertificates({
    secrets: createSecretStore(client, { ...own.secret, labels: { 'app.kubernetes.io/managed-by': 'slurm-operator' } }),
    bundles: createBundleStore(client, own),
    names: own.names,
    commonName: own.names[0] ?? '',
    clock,
    reads,
    onStep: (step) => log.info('the certificates change', { step: step.do }),
    onFailure,
  })
}

/** What the three flags say together; undefined: the files are somebody else's. */
export function parseOwnCertificates(settings: CertificateSettings): OwnCertificates | undefined {
  const { 'cert-secret': secret, 'cert-service': service, 'webhook-configurations': configurations } = settings
  if (secret === '' && service === '' && configurations.length === 0) return undefined
  if (secret === '' || service === '' || configurations.length === 0) {
    throw new Error(
      'Cannot keep own certificates: --cert-secret, --cert-service and --webhook-configurations belong together. Give all three or none.',
    )
  }
  const [namespace, name] = splitTwo(secret, '/', '--cert-secret', 'namespace/name')
  const [host, hostNamespace] = splitTwo(service, '.', '--cert-service', 'service.namespace')
  return {
    secret: { namespace, name },
    names: [`${host}.${hostNamespace}.svc`, `${host}.${hostNamespace}`, host],
    validating: namesOf('validating', configurations),
    mutating: namesOf('mutating', configurations),
  }
}

function splitTwo(text: string, separator: string, flag: string, form: string): [string, string] {
  const [first = '', second = '', ...more] = text.split(separator)
  if (first !== '' && second !== '' && more.length === 0) return [first, second]
  throw new Error(`Cannot use ${flag}=${text}: it is not of the form ${form}.`)
}

/** The configurations of one kind: those without a kind are of both. */
function namesOf(kind: 'validating' | 'mutating', configurations: readonly string[]): string[] {
  return configurations.flatMap((text) => {
    const [first = '', name] = text.split('/')
    if (name === undefined) return [first]
    if (first !== 'validating' && first !== 'mutating') {
      throw new Error(`Cannot use --webhook-configurations=${text}: write name, validating/name or mutating/name.`)
    }
    return first === kind ? [name] : []
  })
}
