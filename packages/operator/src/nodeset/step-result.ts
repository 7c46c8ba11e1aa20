import type { Step } from './steps.ts'

/**
 * What came of one step. `skipped`: an earlier one of its chain failed. `late`: see `isLate` and `deletePod`. `held`: see
 * `OrderPace`. `outdated`: Slurm says of its node something else by now than in the list of the plan.
 */
export type StepResult =
  | { readonly kind: 'done'; readonly step: Step }
  | { readonly kind: 'failed'; readonly step: Step; readonly error: Error }
  | { readonly kind: 'skipped'; readonly step: Step }
  | { readonly kind: 'late' | 'outdated'; readonly step: Step }
  | { readonly kind: 'held'; readonly step: Step; readonly error: Error; readonly inMs: number }
