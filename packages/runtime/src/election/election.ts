import { isFailure, sleep, type Clock, type Random } from '@slurm-operator/kube'
import type { Logger } from '../logging/logger.ts'
import type { Component, Life } from '../manager/component.ts'
import { withDeadline } from '../supervise/with-deadline.ts'
import { LeaseGate, type WriteGate } from './gate.ts'
import type { CallLimit, LeaseStore, StoredLease } from './lease.ts'
import { planMove, releasedRecord, see, type Move, type Self, type Sighting } from './plan-move.ts'
import { defaultTiming, whyUnsafe, type ElectionTiming } from './timing.ts'

/** We led and do not any more. The process must end: what it had in mind may be done by somebody else by now. */
export class LeadershipLostError extends Error {
  override readonly name = 'LeadershipLostError'
}

/** What an election is made of. */
export interface ElectionOptions {
  readonly store: LeaseStore
  /** Different for every process that ever lived. */
  readonly identity: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly timing?: ElectionTiming
  /**
   * What to do when the Lease could not be renewed in time and nobody else is known to have it. `end`: that is a loss.
   * `hold`: write nothing and go on trying; if nobody took the Lease meanwhile, nothing was lost. Default `end`.
   */
  readonly whenUncertain?: 'end' | 'hold'
  /** For metrics. */
  readonly onChange?: (isLeading: boolean) => void
}

type TurnResult = 'renewed' | { readonly untilMs: number; readonly holder: string }

/**
 * One contender for a Lease; as a component of the manager it is ready while it leads.
 *
 * Guarantees, whatever the clocks, the network and the scheduler do, as long as monotonic clocks run at about the same
 * speed: when `gate.mayWrite()` is true, the server has this process as the holder, and nobody else can become it
 * within the next `leaseMs - renewMs`. Two exceptions: somebody deletes the Lease by hand, and a process that has not
 * seen it before looks within the next ten seconds; and a process is stopped between that answer and the kernel's
 * sending of the one request that it was asked for, which no process can prevent. Writes with a precondition are safe.
 */
export class Election implements Component {
  readonly name = 'leader election'
  readonly #options: ElectionOptions
  readonly #timing: ElectionTiming
  readonly #gate: LeaseGate
  #seen: Sighting | undefined
  /** What we know is what the server last told us: a leader need not read before it renews. */
  #isFresh = false

  constructor(options: ElectionOptions) {
    this.#options = options
    this.#timing = options.timing ?? defaultTiming
    const why = whyUnsafe(this.#timing)
    if (why !== undefined) throw new Error(`Cannot hold an election: ${why}.`)
    this.#gate = new LeaseGate(options.clock, this.#timing.renewMs)
  }

  /** To be asked before every write. */
  get gate(): WriteGate {
    return this.#gate
  }

  /** Try to lead, lead, give the Lease back when told to stop. Throws `LeadershipLostError`. */
  async run({ stop, ready }: Life): Promise<void> {
    const { log, store, identity, onChange } = this.#options
    log.info('waiting for the lease', { lease: store.place, identity })
    if (!(await this.#acquire(stop))) return
    log.info('this process leads', { lease: store.place, identity })
    onChange?.(true)
    try {
      ready()
      await this.#hold(stop)
    } finally {
      this.#gate.close()
      onChange?.(false)
    }
    await this.#release()
  }

  /** Returns whether we lead; false means that we were told to stop before. */
  async #acquire(stop: AbortSignal): Promise<boolean> {
    while (!stop.aborted) {
      const result = await this.#tryTurn('get the lease', this.#timing.renewMs / 2)
      if (result === 'renewed') return true
      if (!(await this.#pause(this.#candidatePauseMs(result), stop))) return false
    }
    return false
  }

  async #hold(stop: AbortSignal): Promise<void> {
    while (await this.#pause(this.#timing.retryMs, stop)) {
      const leftMs = this.#timing.renewMs - this.#gate.ageMs()
      if (leftMs <= 0 && this.#options.whenUncertain !== 'hold') throw this.#tooLate()
      const halfMs = this.#timing.renewMs / 2
      const result = await this.#tryTurn('renew the lease', leftMs > 0 ? Math.min(leftMs, halfMs) : halfMs)
      if (typeof result === 'object') throw takenBy(result.holder, this.#options.store)
    }
  }

  /** One turn; a failure is told and is no result. */
  async #tryTurn(what: string, withinMs: number): Promise<TurnResult | undefined> {
    const { clock, log, store } = this.#options
    try {
      const work = (signal: AbortSignal) => this.#turn({ signal, timeoutMs: withinMs })
      return await withDeadline(`${what} ${store.place}`, { clock, withinMs }, work)
    } catch (error) {
      this.#isFresh = false
      log.warn(`cannot ${what}; trying again`, { lease: store.place, error })
      return undefined
    }
  }

  /** Look, decide, write. A lost race is looked at once more: mostly it was an answer of our own that got lost. */
  async #turn(limit: CallLimit): Promise<TurnResult> {
    for (let tries = 1; ; tries++) {
      const seen = this.#isFresh && this.#seen !== undefined ? this.#seen : await this.#look(limit)
      const move = planMove(seen, this.#self())
      if (move.kind === 'wait') {
        this.#isFresh = false
        return move
      }
      try {
        await this.#write(move, limit)
        return 'renewed'
      } catch (error) {
        this.#isFresh = false
        if (tries > 1 || !isFailure(error, 'Conflict', 'AlreadyExists', 'NotFound')) throw error
      }
    }
  }

  async #look(limit: CallLimit): Promise<Sighting> {
    const lease = await this.#options.store.read(limit)
    return this.#note(lease, limit)
  }

  /** Counts from before the request was sent: we cannot know when the server acted on it. */
  async #write(move: Exclude<Move, { kind: 'wait' }>, limit: CallLimit): Promise<void> {
    const { store, clock } = this.#options
    const atMs = clock.monotonic()
    const wallMs = clock.now()
    const written = await (move.kind === 'create'
      ? store.create(move.record, limit)
      : store.update(move.record, move.version, limit))
    this.#note(written, limit)
    this.#isFresh = true
    this.#gate.renewedAt(atMs, wallMs)
  }

  /** An answer that comes after its deadline is not to be believed: time has gone on without us. */
  #note(lease: StoredLease | undefined, { signal }: CallLimit): Sighting {
    signal.throwIfAborted()
    this.#seen = see(this.#seen, lease, this.#options.clock.monotonic())
    return this.#seen
  }

  /** Best effort: without it the next one waits until the Lease runs out. */
  async #release(): Promise<void> {
    const { store, clock, log } = this.#options
    const withinMs = this.#timing.renewMs / 2
    try {
      const work = (signal: AbortSignal) => this.#giveUp({ signal, timeoutMs: withinMs })
      await withDeadline(`give up the lease ${store.place}`, { clock, withinMs }, work)
      log.info('gave up the lease', { lease: store.place })
    } catch (error) {
      log.warn('cannot give up the lease; it will run out', { lease: store.place, error })
    }
  }

  async #giveUp(limit: CallLimit): Promise<void> {
    const { lease } = this.#isFresh && this.#seen !== undefined ? this.#seen : await this.#look(limit)
    const { store, identity, clock } = this.#options
    if (lease?.record.holder !== identity) return
    await store.update(releasedRecord(lease.record, clock.now()), lease.version, limit)
  }

  /** Returns false when told to stop. */
  async #pause(pauseMs: number, stop: AbortSignal): Promise<boolean> {
    try {
      await sleep(this.#options.clock, pauseMs, stop)
      return true
    } catch (error) {
      if (stop.aborted) return false
      throw error
    }
  }

  /** A little chance keeps contenders apart; none of them sleeps past the moment when the Lease runs out. */
  #candidatePauseMs(result: TurnResult | undefined): number {
    const { random, clock } = this.#options
    const retryMs = this.#timing.retryMs * (1 + 0.2 * random())
    if (typeof result !== 'object') return retryMs
    return Math.min(
      retryMs,
      Math.max(0, result.untilMs - clock.monotonic()) + 0.1 * this.#timing.retryMs * (1 + random()),
    )
  }

  #self(): Self {
    const { identity, clock } = this.#options
    const isCertain = this.#gate.mayWrite()
    return { identity, isCertain, timing: this.#timing, nowMs: clock.monotonic(), wallMs: clock.now() }
  }

  #tooLate(): LeadershipLostError {
    const seconds = this.#timing.renewMs / 1000
    return new LeadershipLostError(
      `Cannot go on as leader: the lease ${this.#options.store.place} could not be renewed within ${seconds} s. ` +
        'Either the API server cannot be reached or this process was stopped for some time.',
    )
  }
}

function takenBy(holder: string, { place }: LeaseStore): LeadershipLostError {
  const who = holder === '' ? 'it was deleted' : `${holder} has it`
  return new LeadershipLostError(`Cannot go on as leader: the lease ${place} is no longer ours, ${who}.`)
}
