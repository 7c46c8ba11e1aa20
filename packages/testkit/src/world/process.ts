import type { Clock } from '@slurm-operator/kube'
import type { VirtualClock } from '../clock/virtual-clock.ts'
import type { RandomSource } from '../random/random-source.ts'
import type { ProcessChange } from './trace.ts'

/**
 * A program under test, seen from outside. It gets its time, its chance and its connections from here, so that it can be
 * ended or stopped between any two of them, as SIGKILL and SIGSTOP would.
 */
export interface SimulatedProcess {
  readonly name: string
  readonly clock: Clock
  readonly random: RandomSource
  readonly state: () => ProcessState
  /** It never gets anything any more: no answer, no timer, no breath. */
  readonly kill: () => void
  /**
   * It gets nothing until it is thawed. Time goes on meanwhile, and what was due is then delivered late: one thing after
   * the other, and all that follows from one of them happens before the next.
   */
  readonly freeze: () => void
  readonly thaw: () => void
}

/** Whether anything reaches a process. */
export type ProcessState = 'running' | 'frozen' | 'dead'

/** A process with the door through which everything comes. */
export interface ProcessWithDoor extends SimulatedProcess {
  /** Do something inside of the process: now, after it is thawed, or never. */
  readonly enter: (action: () => void) => void
}

/** What a process is made of. */
export interface ProcessParts {
  readonly name: string
  readonly clock: VirtualClock
  readonly random: RandomSource
  readonly changed: (change: ProcessChange) => void
}

/** Begin a process. */
export function createProcess({ name, clock, random, changed }: ProcessParts): ProcessWithDoor {
  let state: ProcessState = 'running'
  let held: (() => void)[] = []
  const become = (next: ProcessState, change: ProcessChange) => {
    if (state === 'dead' || state === next) return
    state = next
    changed(change)
  }
  let isCatchingUp = false
  const enter = (action: () => void) => {
    if (state === 'running' && !isCatchingUp) action()
    else if (state !== 'dead') held.push(action)
  }
  const catchUp = async () => {
    if (isCatchingUp) return
    isCatchingUp = true
    for (let next = held.shift(); next !== undefined; next = state === 'running' ? held.shift() : undefined) {
      next()
      await clock.breathe()
    }
    isCatchingUp = false
  }
  changed('started')
  return {
    name,
    random,
    enter,
    state: () => state,
    clock: { ...clockOf(clock, enter) },
    kill: () => {
      become('dead', 'killed')
      held = []
    },
    freeze: () => become('frozen', 'frozen'),
    thaw: () => {
      if (state !== 'frozen') return
      become('running', 'thawed')
      void catchUp()
    },
  }
}

/** The same time, but timers and breaths come through the door. */
function clockOf(clock: VirtualClock, enter: (action: () => void) => void): Clock {
  return {
    now: clock.now,
    monotonic: clock.monotonic,
    schedule: (delayMs, action) => {
      let isCancelled = false
      const cancel = clock.schedule(delayMs, () => enter(() => (isCancelled ? undefined : action())))
      return () => {
        isCancelled = true
        cancel()
      }
    },
    breathe: async () => {
      await clock.breathe()
      return new Promise<void>((resolve) => enter(resolve))
    },
  }
}
