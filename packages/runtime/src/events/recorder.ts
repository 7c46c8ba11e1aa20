/**
 * Tells users what happens to their objects, as Events of `events.k8s.io/v1`. Recording never waits and never fails: what
 * is too much, or what the server does not take, is dropped and counted.
 *
 * @module
 */
import {
  whyInvalidLabelKey,
  type CallOptions,
  type Clock,
  type EventsEvent,
  type ObjectKey,
  type Patch,
  type Random,
} from '@slurm-operator/kube'
import { defaultRetryPace, fullBucket, takeToken, type Bucket } from '../queue/policy.ts'
import type { Logger } from '../logging/logger.ts'
import type { Component, Life } from '../manager/component.ts'
import { whenAborted } from '../supervise/until-aborted.ts'
import { buildEvent } from './build-event.ts'
import { EventLedger, type EventJob } from './event-ledger.ts'
import { defaultEventLimits, type EventLimits } from './event-limits.ts'
import { referenceTo, type Happening, type Regarded } from './happening.ts'
import { judgeFailure, type EventVerdict } from './judge-failure.ts'
import { ObjectPace } from './object-pace.ts'

/** Where Events are written; the client of the resource fits. */
export interface EventStore {
  readonly create: (event: EventsEvent, options?: CallOptions) => Promise<unknown>
  readonly patch: (key: ObjectKey, patch: Patch, options?: CallOptions) => Promise<unknown>
}

/** Why an Event was not written. */
export type DropCause = 'object-limit' | 'queue-full' | 'quiet' | 'refused' | 'failed'

/** What a recorder is made of. */
export interface RecorderOptions {
  readonly store: EventStore
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  /** Which process; the name of the pod. */
  readonly instance: string
  /** Takes secrets out of texts; see `SecretValues`. */
  readonly hide: (text: string) => string
  readonly limits?: Partial<EventLimits>
  /** For metrics. */
  readonly dropped?: (cause: DropCause) => void
}

/** Record what happens; see `Recorder.as`. */
export type RecordEvent = (happening: Happening) => void

const TIMEOUT_MS = 10_000
const FIRST_PAUSE_MS = 1_000
const MOST_TRIES = 5
const DRAIN_MS = 5_000

/** Collects and sends. It runs as a component of the program. */
export class Recorder implements Component {
  readonly name = 'events'
  readonly #options: RecorderOptions
  readonly #limits: EventLimits
  readonly #ledger: EventLedger
  readonly #pace: ObjectPace
  readonly #said = new Set<string>()
  #bucket: Bucket = fullBucket
  #wake: () => void = () => {}
  #tries = 0

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#limits = { ...defaultEventLimits, ...options.limits }
    this.#ledger = new EventLedger(this.#limits)
    this.#pace = new ObjectPace(this.#limits.perObject)
  }

  /** Record in the name of one loop, such as `thing-controller`. */
  as(controller: string): RecordEvent {
    const why = whyInvalidLabelKey(controller)
    if (why !== undefined) throw new Error(`Cannot record Events as ${JSON.stringify(controller)}: ${why}.`)
    return (happening) => {
      try {
        this.#record(happening, controller)
      } catch (error) {
        this.#sayOnce('record', error)
        this.#drop('failed')
      }
    }
  }

  /** Send until told to stop; then what is left, as long as there is time. */
  async run(life: Life): Promise<void> {
    const { clock } = this.#options
    const late = new AbortController()
    let cancel = () => {}
    const undo = whenAborted(life.stop, () => (cancel = clock.schedule(DRAIN_MS, () => late.abort())))
    const end = AbortSignal.any([life.abort, late.signal])
    life.ready()
    while (!end.aborted) {
      const job = this.#ledger.next(clock.monotonic(), life.stop.aborted)
      if (job.do === 'rest' && life.stop.aborted) break
      await this.#step(job, life.stop, end)
    }
    undo()
    cancel()
  }

  async #step(job: EventJob, stop: AbortSignal, end: AbortSignal): Promise<void> {
    if (job.do === 'rest') return this.#rest(job.inMs, stop, (wake) => (this.#wake = wake))
    await this.#rest(stop.aborted ? 0 : this.#untilTokenMs(), stop)
    const failure = await this.#send(job, end)
    if (failure === undefined) return
    const verdict = judgeFailure(failure.error, job.do)
    if (verdict === 'later' && ++this.#tries < MOST_TRIES && !stop.aborted) {
      return this.#rest(FIRST_PAUSE_MS * 2 ** (this.#tries - 1), stop)
    }
    this.#settle(job, verdict, failure.error)
  }

  #record(happening: Happening, controller: string): void {
    const { clock, random, instance, hide } = this.#options
    const told = { ...happening, note: hide(happening.note) }
    const moment = { wallMs: clock.now(), nowMs: clock.monotonic() }
    const key = seriesKey(told, controller)
    if (!this.#ledger.repeat(key, moment)) {
      if (!this.#pace.take(objectKey(told.regarding), moment.nowMs)) return this.#drop('object-limit')
      const event = buildEvent(told, { controller, instance, random, atMs: moment.wallMs })
      if (!this.#ledger.add(key, event, moment)) return this.#drop('queue-full')
    }
    this.#wake()
  }

  async #send(
    job: Exclude<EventJob, { do: 'rest' }>,
    signal: AbortSignal,
  ): Promise<{ readonly error: unknown } | undefined> {
    const { store, clock } = this.#options
    const { name = '', namespace } = job.event.metadata
    const options = { signal, timeoutMs: TIMEOUT_MS }
    try {
      if (job.do === 'create') await store.create(job.event, options)
      else await store.patch({ namespace, name }, { type: 'merge', body: { series: job.event.series } }, options)
    } catch (error) {
      return { error }
    }
    this.#tries = 0
    this.#ledger.told(job.key, job.event, clock.monotonic())
    return undefined
  }

  #settle(job: Exclude<EventJob, { do: 'rest' }>, verdict: EventVerdict, error: unknown): void {
    this.#tries = 0
    if (verdict === 'told') return this.#ledger.told(job.key, job.event, this.#options.clock.monotonic())
    if (verdict === 'again') return this.#ledger.renew(job.key)
    this.#ledger.giveUp(job.key)
    this.#sayOnce(`${verdict} ${job.event.metadata.namespace ?? ''}`, error)
    this.#drop(verdict === 'later' ? 'failed' : verdict)
  }

  /** A namespace that is gone gets one line, not one for each Event. */
  #sayOnce(what: string, error: unknown): void {
    if (this.#said.has(what)) return
    if (this.#said.size >= this.#limits.mostWaiting) this.#said.clear()
    this.#said.add(what)
    this.#options.log.info('An Event could not be written; more of the same are dropped without a word', { error })
  }

  #drop(cause: DropCause): void {
    this.#options.dropped?.(cause)
  }

  #untilTokenMs(): number {
    const nowMs = this.#options.clock.monotonic()
    const { atMs, bucket } = takeToken(this.#bucket, nowMs, { ...defaultRetryPace, ...this.#limits.overall })
    this.#bucket = bucket
    return atMs - nowMs
  }

  /** Wait; for ever if no time is given. Being told to stop ends it, and so does whoever is handed the other end. */
  async #rest(inMs: number | undefined, stop: AbortSignal, hand: (end: () => void) => void = () => {}): Promise<void> {
    if (inMs !== undefined && inMs <= 0) return
    const over = Promise.withResolvers<void>()
    hand(over.resolve)
    const cancel = inMs === undefined ? () => {} : this.#options.clock.schedule(inMs, over.resolve)
    const undo = stop.aborted ? () => {} : whenAborted(stop, over.resolve)
    await over.promise
    cancel()
    undo()
  }
}

function seriesKey({ regarding, related, type, reason, action, note }: Happening, controller: string): string {
  const about = related === undefined ? '' : objectKey(related)
  return JSON.stringify([objectKey(regarding), about, type, reason, action, note, controller])
}

function objectKey(object: Regarded): string {
  return JSON.stringify(Object.values(referenceTo(object)))
}
