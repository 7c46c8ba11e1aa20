import type { HiddenText } from './hidden-text.ts'

/** How to reach one API server as one user. Files are named, not read: they may change while we run. */
export interface ConnectionSettings {
  /** Such as `https://10.96.0.1:443`, perhaps with a path. */
  readonly server: string
  /** The namespace to use when nobody names one. */
  readonly namespace: string
  /** Who signs the server's certificate; without it those whom the machine trusts. */
  readonly authority?: Pem
  /** The name in the server's certificate, if it is not the one in its address. */
  readonly serverName?: string
  readonly skipTlsVerify: boolean
  /** An HTTP proxy that opens tunnels. */
  readonly proxyUrl?: string
  readonly clientCertificate?: { readonly certificate: Pem; readonly key: Pem }
  readonly login: Login
  readonly impersonate?: Impersonation
}

/** A certificate or key: here, or in a file that is read again when it may have changed. */
export type Pem = { readonly kind: 'data'; readonly pem: HiddenText } | { readonly kind: 'file'; readonly path: string }

/** What goes into the Authorization header. */
export type Login =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: HiddenText }
  | { readonly kind: 'token-file'; readonly path: string }
  | { readonly kind: 'password'; readonly username: string; readonly password: HiddenText }
  | { readonly kind: 'exec'; readonly plugin: ExecPlugin }

/** A program that hands out credentials. */
export interface ExecPlugin {
  readonly apiVersion: ExecApiVersion
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** What to tell somebody who does not have the program. */
  readonly installHint?: string
  /** The `spec.cluster` it wants to be told. */
  readonly cluster?: Readonly<Record<string, unknown>>
}

/** The two versions of the protocol that are in use. */
export type ExecApiVersion = 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1'

/** Act as somebody else, if RBAC allows it. */
export interface Impersonation {
  readonly user: string
  readonly uid?: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}
