import type { ReviewRequest } from './review.ts'
import type { MutatingVerdict, ValidatingVerdict } from './verdict.ts'

/** Whoever decides about requests. The signal ends when nobody waits for the verdict any more. */
type Judge<Verdict> = (request: ReviewRequest, signal: AbortSignal) => Verdict | Promise<Verdict>

/** One path of the webhook server and who decides there. */
export type Hook =
  | { readonly kind: 'validating'; readonly path: string; readonly judge: Judge<ValidatingVerdict> }
  | { readonly kind: 'mutating'; readonly path: string; readonly judge: Judge<MutatingVerdict> }

/** What is told about reviews, for metrics; the numbers are the HTTP codes. */
export interface HookObserver {
  started(path: string): void
  finished(path: string, code: number, durationMs: number): void
  /** A handler threw. */
  failed(path: string): void
}
