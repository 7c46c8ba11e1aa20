/** Test data of this room: happenings, and a recorder in virtual time whose server answers as told. */
import {
  KubeError,
  type CallOptions,
  type EventsEvent,
  type FailureReason,
  type ObjectKey,
  type Patch,
} from '@slurm-operator/kube'
import { createRandomSource, createVirtualClock } from '@slurm-operator/testkit'
import { createLogger } from '../logging/logger.ts'
import { untilAborted } from '../supervise/until-aborted.ts'
import type { EventLimits } from './event-limits.ts'
import type { Happening } from './happening.ts'
import { Recorder, type DropCause } from './recorder.ts'

export const happening: Happening = {
  regarding: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'worker-0', namespace: 'n', uid: 'u-0' } },
  type: 'Normal',
  reason: 'Created',
  action: 'Create',
  note: 'all is well',
}

/** The same about another object. */
export function about(name: string, changes: Partial<Happening> = {}): Happening {
  const { regarding } = happening
  return {
    ...happening,
    regarding: { ...regarding, metadata: { ...regarding.metadata, name, uid: `u-${name}` } },
    ...changes,
  }
}

export function failure(reason: FailureReason): KubeError {
  return new KubeError({ reason, request: 'create events', detail: 'told so' })
}

const signalOf = (options: CallOptions | undefined) => options?.signal ?? new AbortController().signal

/** What the server says to a request; undefined: yes. `hang`: nothing, until the caller gives up. */
export type Answer = (what: 'create' | 'patch') => Error | 'hang' | undefined

export function startRecorder(limits: Partial<EventLimits> = {}, answer: Answer = () => undefined) {
  const clock = createVirtualClock()
  const [stop, abort] = [new AbortController(), new AbortController()]
  const created: EventsEvent[] = []
  const patched: { key: ObjectKey; body: EventsEvent; atMs: number }[] = []
  const dropped: DropCause[] = []
  const lines: string[] = []
  const say = async (what: 'create' | 'patch', signal: AbortSignal) => {
    await clock.breathe()
    const error = answer(what)
    if (error === 'hang') await untilAborted(signal)
    signal.throwIfAborted()
    if (error instanceof Error) throw error
  }
  const recorder = new Recorder({
    clock,
    limits,
    random: createRandomSource(1).next,
    log: createLogger({ clock, write: (line) => lines.push(line) }),
    instance: 'operator-0',
    hide: (text) => text.replaceAll('s3cret', '<hidden>'),
    dropped: (cause) => dropped.push(cause),
    store: {
      create: async (event, options) => {
        await say('create', signalOf(options))
        created.push(event)
      },
      patch: async (key, patch: Patch, options) => {
        await say('patch', signalOf(options))
        if (patch.type === 'merge') patched.push({ key, body: patch.body as EventsEvent, atMs: clock.monotonic() })
      },
    },
  })
  const ended = recorder.run({ stop: stop.signal, abort: abort.signal, ready: () => {} })
  const record = recorder.as('thing-controller')
  return {
    clock,
    recorder,
    record,
    created,
    patched,
    dropped,
    lines,
    ended,
    stop: () => stop.abort(),
    abort: () => abort.abort(),
  }
}
