import type { Logger, RecordEvent } from '@slurm-operator/runtime'
import type { World } from '../world/world.ts'
import type { FailureMemory } from './failure-memory.ts'
import type { Observed } from './observe.ts'
import type { OrderPace } from './order-pace.ts'

/** Everything that carrying out a step needs. */
export interface Acting {
  readonly observed: Observed
  readonly world: World
  readonly failures: FailureMemory
  readonly pace: OrderPace
  readonly record: RecordEvent
  readonly log: Logger
  readonly signal: AbortSignal
  /** Why the NodeSet gets no more children in this pass; see `whyNoChildren`. */
  readonly childless?: Error | undefined
}
