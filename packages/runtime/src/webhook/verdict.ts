import type { JsonPatch } from '@slurm-operator/kube'

/** What every verdict may carry besides yes and no. */
interface Remarks {
  /** Shown to the person who sent the request, whatever the verdict. */
  readonly warnings?: readonly string[]
  /** Written into the API server's audit log. */
  readonly auditAnnotations?: Readonly<Record<string, string>>
}

/** Yes. */
export interface Allowed extends Remarks {
  readonly allowed: true
}

/** Yes, with changes. */
interface AllowedWithPatch extends Allowed {
  readonly patch?: JsonPatch
}

/** No, and why: the text is for the person who sent the request. */
export interface Denied extends Remarks {
  readonly allowed: false
  readonly because: string
  /** 403 by default: we understood, and do not permit it. */
  readonly code?: 400 | 403 | 404 | 409 | 422 | 500 | 504
}

/** The answer of a validating handler. */
export type ValidatingVerdict = Allowed | Denied

/** The answer of a mutating handler. */
export type MutatingVerdict = AllowedWithPatch | Denied

/** Yes, without any remark. */
export const allowed: Allowed = { allowed: true }

/** No. All problems of a request are told together. */
export function denied(...problems: readonly string[]): Denied {
  return { allowed: false, because: problems.join('; ') }
}
