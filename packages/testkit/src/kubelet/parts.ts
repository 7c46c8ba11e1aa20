import type { Client, Clock } from '@slurm-operator/kube'
import { isConflict, isNotFound } from '@slurm-operator/kube'
import type { SimulatedApiServer } from '../api-server/api-server.ts'
import type { RandomSource } from '../random/random-source.ts'
import type { SimulatedSlurm } from '../slurm/simulated-slurm.ts'
import type { JobLedger } from './job-ledger.ts'

/** From so many milliseconds to so many. */
export type Span = readonly [fromMs: number, toMs: number]

/** How long things take on these machines; each time another moment in its span. */
export interface MachinePace {
  /** From a new pod, or a new place, to the scheduler. */
  readonly scheduling: Span
  /** From the binding of a pod to its containers. */
  readonly starting: Span
  /** From its containers to Ready. */
  readonly becomingReady: Span
  /** From its containers to the first word of slurmd to slurmctld; may be later than Ready. */
  readonly registering: Span
  /** From the deletion of a pod to its end. Never longer than its grace period. */
  readonly ending: Span
  /** From a claim to its volume. */
  readonly bindingClaims: Span
  /** From the loss of a machine to the moment at which the control plane believes it. */
  readonly missingMachine: Span
  /** From a node without an object to the end of its pods. */
  readonly collectingPods: Span
}

/** What all parts of the simulated machines share. */
export interface Parts {
  readonly server: SimulatedApiServer
  /** A way to the server that never fails: faults are for the programs under test. */
  readonly client: Client
  readonly slurm: SimulatedSlurm
  readonly clock: Clock
  readonly random: RandomSource
  readonly pace: MachinePace
  readonly jobs: JobLedger
  /** The machines without power. */
  readonly dark: Set<string>
  /** What must not happen and did: a fault of the simulation. */
  readonly troubles: unknown[]
}

/** A moment in a span. */
function momentIn({ random }: Pick<Parts, 'random'>, [fromMs, toMs]: Span): number {
  return fromMs + random.below(Math.max(1, toMs - fromMs + 1))
}

/** Do something after a while of this kind. An object that went or changed meanwhile is no trouble. */
export function later(parts: Parts, span: Span, action: () => Promise<unknown> | undefined): void {
  const run = async (): Promise<void> => {
    try {
      await action()
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) parts.troubles.push(error)
    }
  }
  parts.clock.schedule(momentIn(parts, span), () => void run())
}
