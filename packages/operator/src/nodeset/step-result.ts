import type { Step } from './steps.ts'

/** What came of one step. `skipped`: an earlier one of its chain failed. `late`: see `isLate` and `deletePod`. `held`: see `OrderPace`. */
export type StepResult =
  | { readonly kind: 'done'; readonly step: Step }
  | { readonly kind: 'failed'; readonly step: Step; readonly error: Error }
  | { readonly kind: 'skipped'; readonly step: Step }
  | { readonly kind: 'late'; readonly step: Step }
  | { readonly kind: 'held'; readonly step: Step; readonly error: Error; readonly inMs: number }
