/**
 * The one place between a process and a server: every call and every line of a watch gets a number here and asks the
 * plan what becomes of it. It knows nothing of the server behind it, so a real one can stand there as well.
 *
 * @module
 */
import { KubeError, type HttpAnswer, type HttpRequest, type Transport } from '@slurm-operator/kube'
import type { VirtualClock } from '../clock/virtual-clock.ts'
import { carryOut } from './carry-out.ts'
import type { ProcessWithDoor } from './process.ts'
import { relayWatch } from './relay-watch.ts'
import type { Message, Step } from './step.ts'
import type { Plan } from './plan.ts'
import type { TraceEntry } from './trace.ts'

/** What the world offers to those who stand in between. */
export interface Crossroads {
  readonly clock: VirtualClock
  readonly plan: () => Plan
  readonly record: (entry: TraceEntry) => void
  readonly nextStep: () => number
  readonly nextMessage: () => number
  /** Wait until the world lets this step go on. */
  readonly turn: (step: Step) => Promise<void>
}

/** The same transport, with the world in between. */
export function interpose(inner: Transport, target: string, process: ProcessWithDoor, world: Crossroads): Transport {
  return {
    host: inner.host,
    close: inner.close,
    send: (request) =>
      new Promise((resolve, reject) => {
        if (process.state() === 'dead') return
        const { method, path, body, use } = request
        const step: Step = { number: world.nextStep(), process: process.name, target, method, path, body, use }
        const told = tellOnce(step, process, world, { resolve, reject })
        const stopWaiting = giveUpInTime(request, process, told.reject)
        const finish = () => stopWaiting()
        travel(inner, request, step, process, world).then(
          (answer) => told.resolve(answer, finish),
          (error: unknown) => told.reject(error, finish),
        )
      }),
  }
}

/** From the caller's door to the server and back. */
async function travel(
  inner: Transport,
  request: HttpRequest,
  step: Step,
  process: ProcessWithDoor,
  world: Crossroads,
): Promise<HttpAnswer> {
  await world.turn(step)
  const fate = world.plan().step(step)
  world.record({ kind: 'call', atMs: world.clock.monotonic(), step, fate })
  const answer = await carryOut(fate, { request, inner, process, clock: world.clock })
  if (request.use !== 'watch' || answer.status !== 200) return answer
  const judge = (message: Message) => {
    const fate = world.plan().message(message)
    world.record({ kind: 'message', atMs: world.clock.monotonic(), message, fate })
    return fate
  }
  return {
    ...answer,
    body: relayWatch(answer.body, {
      request,
      step,
      process,
      clock: world.clock,
      judge,
      nextMessage: world.nextMessage,
    }),
  }
}

interface Caller {
  readonly resolve: (answer: HttpAnswer) => void
  readonly reject: (error: Error) => void
}

/** A caller gets one answer, and only while it lives. */
function tellOnce(step: Step, process: ProcessWithDoor, world: Crossroads, caller: Caller) {
  let isTold = false
  const tell = (outcome: number | string, action: () => void, finish: () => void) =>
    process.enter(() => {
      if (isTold) return
      isTold = true
      finish()
      world.record({ kind: 'answer', atMs: world.clock.monotonic(), step, outcome })
      action()
    })
  const nothing = () => {}
  return {
    resolve: (answer: HttpAnswer, finish = nothing) => tell(answer.status, () => caller.resolve(answer), finish),
    reject: (error: unknown, finish = nothing) => {
      const known = error instanceof Error ? error : new Error(String(error))
      tell(known instanceof KubeError ? known.reason : known.name, () => caller.reject(known), finish)
    },
  }
}

/** The caller's own deadline and signal. What was sent may still arrive. */
function giveUpInTime(request: HttpRequest, process: ProcessWithDoor, reject: (error: KubeError) => void): () => void {
  const { timeoutMs, purpose, signal } = request
  const cancel = process.clock.schedule(timeoutMs, () => {
    const detail = `no answer within ${Math.round(timeoutMs / 100) / 10} s`
    reject(new KubeError({ reason: 'Timeout', request: purpose, detail, mayHaveHappened: true }))
  })
  const abort = () => {
    cancel()
    reject(
      new KubeError(
        { reason: 'Aborted', request: purpose, detail: 'the caller gave up', mayHaveHappened: true },
        signal?.reason,
      ),
    )
  }
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted === true) abort()
  return () => {
    cancel()
    signal?.removeEventListener('abort', abort)
  }
}
