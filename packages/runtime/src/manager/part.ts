import type { Supervisor } from '../supervise/supervisor.ts'
import type { Component, Life } from './component.ts'

/** A component that was started. */
export interface Part {
  readonly name: string
  readonly isReady: () => boolean
  readonly ready: Promise<void>
  /** Resolves when nothing of it is left, whatever it died of. */
  readonly ended: Promise<void>
  readonly hasEnded: () => boolean
  readonly stop: () => void
}

/** Start a component under supervision: that it fails, or ends without being asked, is told to the supervisor. */
export function startPart(component: Component, abort: AbortSignal, supervisor: Supervisor): Part {
  const { name } = component
  const stopping = new AbortController()
  const ready = Promise.withResolvers<void>()
  const state = { isReady: false, hasEnded: false }
  const life = { stop: stopping.signal, abort, ready: () => ready.resolve() }
  const end = async () => {
    const error = await runToEnd(component, life)
    state.hasEnded = true
    if (error !== undefined) supervisor.report(name, error)
  }
  return {
    name,
    ended: end(),
    ready: ready.promise.then(() => void (state.isReady = true)),
    isReady: () => state.isReady,
    hasEnded: () => state.hasEnded,
    stop: () => stopping.abort(),
  }
}

/** The error it ended with. What it throws while it is being stopped is of no interest any more. */
async function runToEnd(component: Component, life: Life): Promise<unknown> {
  try {
    await component.run(life)
  } catch (error) {
    return life.stop.aborted ? undefined : (error ?? new Error('it failed without an error'))
  }
  return life.stop.aborted ? undefined : new Error(`Cannot go on: ${component.name} ended without being asked to.`)
}
