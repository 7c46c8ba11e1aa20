import type { Logger, RecordEvent } from '@slurm-operator/runtime'
import type { World } from '../world/world.ts'
import type { FailureMemory } from './failure-memory.ts'
import type { Observed } from './observe.ts'
import type { Step } from './steps.ts'

/** Everything that carrying out a step needs. */
export interface Acting {
  readonly observed: Observed
  readonly world: World
  readonly failures: FailureMemory
  readonly record: RecordEvent
  readonly log: Logger
  readonly signal: AbortSignal
  /** Why the NodeSet gets no more children in this pass; see `whyNoChildren`. */
  readonly childless?: Error | undefined
}

/** What came of one step. `skipped`: an earlier one of its chain failed. `late`: see `isLate`. */
export type StepResult =
  | { readonly kind: 'done'; readonly step: Step }
  | { readonly kind: 'failed'; readonly step: Step; readonly error: Error }
  | { readonly kind: 'skipped'; readonly step: Step }
  | { readonly kind: 'late'; readonly step: Step }
