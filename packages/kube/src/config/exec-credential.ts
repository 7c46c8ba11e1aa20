import { isMap, mapAt, textAt } from './kubeconfig-document.ts'
import { misconfigured } from './misconfigured.ts'
import { HiddenText } from './hidden-text.ts'
import type { ExecPlugin } from './settings.ts'

/** What a plugin handed out. */
export interface ExecCredential {
  readonly token?: HiddenText
  readonly clientCertificate?: { readonly certificate: string; readonly key: HiddenText }
  /** Milliseconds since 1970; undefined: good until the server refuses it. */
  readonly expiresAtMs?: number
}

/** What a plugin is told, in `KUBERNETES_EXEC_INFO`. */
export function execInfo({ apiVersion, cluster }: ExecPlugin): string {
  const spec = { interactive: false, ...(cluster !== undefined && { cluster }) }
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', spec })
}

/** Read the output of a plugin. What it printed is never part of an error. */
export function parseExecCredential(output: string, { command, apiVersion }: ExecPlugin): ExecCredential {
  const request = `use exec plugin ${command}`
  const root = parseOutput(output, request)
  if (textAt(root, 'kind') !== 'ExecCredential' || textAt(root, 'apiVersion') !== apiVersion) {
    throw misconfigured(request, `it did not print an ExecCredential of ${apiVersion}`)
  }
  const status = mapAt(root, 'status')
  const [token, certificate, key] = [
    textAt(status, 'token'),
    textAt(status, 'clientCertificateData'),
    textAt(status, 'clientKeyData'),
  ]
  if (token === '' && certificate === '') throw misconfigured(request, 'it printed neither a token nor a certificate')
  if ((certificate === '') !== (key === ''))
    throw misconfigured(request, 'it printed a certificate without key or a key without certificate')
  const expiresAtMs = Date.parse(textAt(status, 'expirationTimestamp'))
  return {
    ...(token !== '' && { token: new HiddenText(token) }),
    ...(certificate !== '' && { clientCertificate: { certificate, key: new HiddenText(key) } }),
    ...(!Number.isNaN(expiresAtMs) && { expiresAtMs }),
  }
}

function parseOutput(output: string, request: string): Readonly<Record<string, unknown>> {
  try {
    const root: unknown = JSON.parse(output)
    if (isMap(root)) return root
  } catch {
    // JSON.parse quotes what it read, and that may be a token
  }
  throw misconfigured(request, 'its output is not a JSON object')
}
