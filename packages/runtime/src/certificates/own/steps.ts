/** One change to the Secret, and why. They are carried out in their order and written together. */
export type CertificateStep =
  | { readonly do: 'create-authority'; readonly as: 'signing' | 'next'; readonly because: string }
  | { readonly do: 'promote-next'; readonly because: string }
  | { readonly do: 'issue-serving'; readonly names: readonly string[]; readonly because: string }
  | { readonly do: 'drop-authority'; readonly fingerprint: string; readonly because: string }

/** What is to be done now, and when to look again. No steps: everything is as it should be. */
export interface CertificatePlan {
  readonly steps: readonly CertificateStep[]
  /** The next moment at which something will be due, if nobody changes the Secret before. */
  readonly lookAgainAtMs: number
}
