/**
 * A world in one process: one time, one seed, one order of things. Programs under test live in it as processes and reach
 * servers through it. It can be stopped between any two of their calls, and the same seed gives the same history.
 *
 * @module
 */
import type { Transport } from '@slurm-operator/kube'
import { createVirtualClock, type VirtualClock } from '../clock/virtual-clock.ts'
import { createRandomSource, type RandomSource } from '../random/random-source.ts'
import { interpose, type Crossroads } from './interpose.ts'
import { peace, type Plan } from './plan.ts'
import { createProcess, type ProcessWithDoor, type SimulatedProcess } from './process.ts'
import type { Step } from './step.ts'
import { Trace } from './trace.ts'

/** What a world begins with. */
export interface WorldOptions {
  readonly seed: number | string
  readonly plan?: Plan
  /** Which of several waiting calls goes first when the world is stopped: the oldest, or one by chance. Default: oldest. */
  readonly order?: 'arrival' | 'chance'
  readonly clock?: VirtualClock
}

/** The world. */
export interface World {
  readonly seed: number | string
  readonly clock: VirtualClock
  readonly random: RandomSource
  readonly trace: Trace
  /** Begin a process. A name may be used again when the one before is dead. */
  readonly start: (name: string) => SimulatedProcess
  /** The way of a process to a server. */
  readonly connect: (process: SimulatedProcess, server: Transport, target?: string) => Transport
  /** What happens from now on. */
  readonly follow: (plan: Plan) => void
  /** From now on calls wait at the door of the server. */
  readonly stop: () => void
  /** Let all waiting calls go, and no longer stop new ones. */
  readonly resume: () => void
  /** The calls that wait. */
  readonly waiting: () => readonly Step[]
  /** Let one waiting call go, and everything that follows from it without time passing. Undefined if none waits. */
  readonly letOneGo: () => Promise<Step | undefined>
}

interface WaitingStep {
  readonly step: Step
  readonly go: () => void
}

/** Begin a world. */
export function createWorld({
  seed,
  plan = peace,
  order = 'arrival',
  clock = createVirtualClock(),
}: WorldOptions): World {
  const random = createRandomSource(seed)
  const trace = new Trace()
  const processes = new Map<string, ProcessWithDoor>()
  const stopper = createStopper(order, random.stream('order'))
  let presentPlan = plan
  let [steps, messages] = [0, 0]
  const crossroads: Crossroads = {
    clock,
    plan: () => presentPlan,
    record: (entry) => trace.add(entry),
    nextStep: () => ++steps,
    nextMessage: () => ++messages,
    turn: stopper.turn,
  }
  return {
    seed,
    clock,
    random,
    trace,
    start: (name) => {
      if ((processes.get(name)?.state() ?? 'dead') !== 'dead')
        throw new Error(`Cannot start ${name}: it lives already. Kill it first.`)
      const changed = (change: 'started' | 'killed' | 'frozen' | 'thawed') =>
        trace.add({ kind: 'process', atMs: clock.monotonic(), process: name, change })
      const process = createProcess({ name, clock, random: random.stream(`process ${name} ${steps}`), changed })
      processes.set(name, process)
      return process
    },
    connect: (process, server, target = 'kubernetes') => {
      const known = processes.get(process.name)
      if (known !== process)
        throw new Error(`Cannot connect ${process.name}: it is not, or no longer, a process of this world.`)
      return interpose(server, target, known, crossroads)
    },
    follow: (next) => (presentPlan = next),
    stop: stopper.stop,
    resume: stopper.resume,
    waiting: () => stopper.waiting.map(({ step }) => step),
    letOneGo: async () => {
      await clock.settle()
      const next = stopper.takeOne()
      next?.go()
      await clock.settle()
      return next?.step
    },
  }
}

/** Where calls wait while the world is stopped. */
function createStopper(order: 'arrival' | 'chance', random: RandomSource) {
  let isStopped = false
  const waiting: WaitingStep[] = []
  return {
    waiting,
    turn: (step: Step) => (isStopped ? new Promise<void>((go) => waiting.push({ step, go })) : Promise.resolve()),
    stop: () => {
      isStopped = true
    },
    resume: () => {
      isStopped = false
      for (const { go } of waiting.splice(0)) go()
    },
    takeOne: () => waiting.splice(order === 'chance' ? random.below(waiting.length) : 0, 1)[0],
  }
}
