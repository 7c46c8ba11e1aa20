import { sleep, type Clock } from '@slurm-operator/kube'
import type { Logger } from '../logging/logger.ts'
import { asError } from '../supervise/as-error.ts'
import { Supervisor, type Collapse } from '../supervise/supervisor.ts'
import { untilAborted } from '../supervise/until-aborted.ts'
import { withDeadline } from '../supervise/with-deadline.ts'
import type { Component, Stage } from './component.ts'
import type { Ending } from './ending.ts'
import { startPart, type Part } from './part.ts'

/** The parts of a program, in the order in which they start. They stop in the opposite order. */
interface Parts {
  /** Health, metrics, webhooks, profiling: they run in every replica and before everything else. */
  readonly servers?: readonly Component[]
  /** Caches and their reflectors: the program is ready when they have synced. */
  readonly caches?: readonly Component[]
  /** Leader election: ready when it leads. Without it, everybody is a leader. */
  readonly election?: Component
  /** Loops, and whatever else writes: only while we lead. */
  readonly loops?: readonly Component[]
}

/** What a manager is made of. */
export interface ManagerOptions extends Parts {
  readonly clock: Clock
  readonly log: Logger
  /** For work that nobody awaits. */
  readonly supervisor?: Supervisor
  /** From being asked to stop until we go, finished or not. Default 30 s. */
  readonly graceMs?: number
  /** Default 2 minutes. */
  readonly syncWithinMs?: number
}

const GRACE_MS = 30_000
const FAILED_GRACE_MS = 5_000 // to say goodbye; nothing that matters happens any more
const SYNC_WITHIN_MS = 2 * 60_000
const ABORT_AFTER = 2 / 3 // of the grace: what is aborted needs time as well, and so does giving up the Lease

type Cause = 'asked' | Collapse

/** Starts everything in order, watches over it, and stops it in order. */
export class Manager {
  readonly #options: ManagerOptions
  readonly #stages: readonly Stage[]
  readonly #supervisor: Supervisor
  readonly #abort = new AbortController()
  readonly #started: Part[][] = []
  #isStopping = false

  constructor(options: ManagerOptions) {
    const { servers = [], caches = [], election, loops = [], syncWithinMs = SYNC_WITHIN_MS } = options
    this.#options = options
    this.#supervisor = options.supervisor ?? new Supervisor()
    this.#stages = [
      { name: 'servers', components: servers, readyWithinMs: syncWithinMs },
      { name: 'caches', components: caches, readyWithinMs: syncWithinMs },
      { name: 'election', components: election === undefined ? [] : [election] },
      { name: 'loops', components: loops, readyWithinMs: syncWithinMs },
    ]
  }

  /** Run until asked to stop or until something fails. Never throws. */
  async run(asked: AbortSignal): Promise<Ending> {
    const { log } = this.#options
    const cause = await Promise.race([this.#supervisor.collapsed, untilAsked(asked), this.#start()])
    if (cause === 'asked') log.info('stopping because we were asked to')
    else log.error(`stopping because ${cause.what} failed`, { error: cause.error })
    const left = await this.#stop(cause)
    if (left.length > 0) log.error('some parts did not stop in time', { parts: left })
    return endingOf(cause, left)
  }

  /** Why no work should be expected yet; undefined: we are ready. For the readiness check. */
  readonly whyNotReady = (): string | undefined => {
    if (this.#isStopping) return 'the program ends'
    const [servers, caches] = this.#started
    if (servers === undefined || caches === undefined) return 'the caches have not been started yet'
    const missing = [...servers, ...caches].filter((part) => !part.isReady()).map(({ name }) => name)
    return missing.length === 0 ? undefined : `not ready yet: ${missing.join(', ')}`
  }

  /** Start stage after stage. Never returns unless one cannot be started: a started program runs until it is stopped. */
  async #start(): Promise<Collapse> {
    for (const stage of this.#stages) {
      if (this.#isStopping) break
      const parts = stage.components.map((one) => startPart(one, this.#abort.signal, this.#supervisor))
      this.#started.push(parts)
      const late = await this.#untilReady(stage, parts)
      if (late !== undefined) return late
      this.#options.log.debug(`${stage.name} are ready`)
    }
    return new Promise(() => {})
  }

  async #untilReady({ name, readyWithinMs }: Stage, parts: readonly Part[]): Promise<Collapse | undefined> {
    const ready = Promise.all(parts.map((part) => part.ready))
    if (readyWithinMs === undefined) return void (await ready)
    try {
      await withDeadline(`start the ${name}`, { clock: this.#options.clock, withinMs: readyWithinMs }, () => ready)
      return undefined
    } catch (error) {
      const missing = parts.filter((part) => !part.isReady()).map((part) => part.name)
      return { what: missing.join(', '), error: asError(error) }
    }
  }

  /** Stop everything, last stage first. Returns the names of those that are still there when the time is over. */
  async #stop(cause: Cause): Promise<string[]> {
    const { clock, graceMs = GRACE_MS } = this.#options
    this.#isStopping = true
    const isAsked = cause === 'asked'
    const timers = new AbortController()
    const allowedMs = isAsked ? graceMs : Math.min(graceMs, FAILED_GRACE_MS)
    if (!isAsked) this.#abort.abort() // whoever failed may have been our right to write
    const abortLater = sleep(clock, allowedMs * ABORT_AFTER, timers.signal).then(() => this.#abort.abort(), ignore)
    const over = sleep(clock, allowedMs, timers.signal).catch(ignore)
    await Promise.race([this.#stopStages(), over])
    this.#abort.abort()
    timers.abort()
    await abortLater
    return this.#started.flat().flatMap((part) => (part.hasEnded() ? [] : [part.name]))
  }

  async #stopStages(): Promise<void> {
    for (const parts of this.#started.toReversed()) {
      parts.forEach((part) => part.stop())
      await Promise.all(parts.map((part) => part.ended))
    }
  }
}

async function untilAsked(asked: AbortSignal): Promise<'asked'> {
  await untilAborted(asked)
  return 'asked'
}

function endingOf(cause: Cause, left: readonly string[]): Ending {
  if (cause !== 'asked') return { code: 1, because: `${cause.what} failed: ${cause.error.message}`, error: cause.error }
  if (left.length > 0) return { code: 1, because: `not stopped in time: ${left.join(', ')}` }
  return { code: 0, because: 'we were asked to stop' }
}

/** A timer that is no longer needed. */
const ignore = () => {}
