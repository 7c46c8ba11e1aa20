import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyMergePatch, parseTime, type Condition, type JsonObject } from '@slurm-operator/kube'
import { NoOpMemory, noKnownNoOps } from '../apply/no-op-memory.ts'
import { buildStatus, conditionsOf, isFirstStatus, type WantedStatus } from './build-status.ts'
import { planStatus, STATUS_PAUSE_MS, type StatusPicture } from './plan-status.ts'
import { buildConditions, type ObjectState } from './state.ts'

const START_MS = parseTime('2030-01-01T00:00:00Z')
const foreign: Condition = {
  type: 'Theirs',
  status: 'True',
  reason: 'X',
  message: '',
  lastTransitionTime: '2020-01-01T00:00:00Z',
}
const liveWith = (status?: JsonObject, generation = 1) => ({
  metadata: { uid: 'u', resourceVersion: '7', generation },
  ...(status !== undefined && { status }),
})
const wantedOf = (kind: ObjectState['kind'], fields?: WantedStatus['fields'], because = 'so'): WantedStatus => ({
  conditions: buildConditions({ kind, reason: 'Why', because }, { generation: 1, isFirst: false }),
  ...(fields !== undefined && { fields }),
})
const plan = (picture: Partial<StatusPicture>) =>
  planStatus({
    live: liveWith(),
    wanted: wantedOf('ready'),
    nowMs: START_MS,
    sentAgoMs: undefined,
    knownNoOps: noKnownNoOps,
    ...picture,
  })
const stored = (wanted: WantedStatus, nowMs = START_MS) => buildStatus(liveWith(), wanted, nowMs)

describe('a status is written', () => {
  test('the first time, with the generation that was seen', () => {
    expect(plan({ live: liveWith(undefined, 4) })).toMatchObject({
      do: 'send',
      patch: { metadata: { resourceVersion: '7' }, status: { observedGeneration: 4 } },
    })
  })
  test('not again if it says the same, however late it is', () => {
    const live = liveWith(stored(wantedOf('ready', { replicas: 3 })))
    expect(plan({ live, wanted: wantedOf('ready', { replicas: 3 }), nowMs: START_MS + 1e9 })).toEqual({ do: 'nothing' })
  })
  test('with nothing but what changed', () => {
    const live = liveWith(stored(wantedOf('ready', { replicas: 3, label: 'x' })))
    const next = plan({ live, wanted: wantedOf('ready', { replicas: 4, label: undefined }) })
    expect(next).toMatchObject({ do: 'send', patch: { status: { replicas: 4, label: null } } })
    expect(next).not.toHaveProperty('patch.metadata')
  })
  test('on top of the state that was seen, if the caller insists', () => {
    const live = liveWith(stored(wantedOf('ready', { replicas: 3 })))
    const next = plan({ live, wanted: wantedOf('ready', { replicas: 4 }), isExact: true })
    expect(next).toMatchObject({ patch: { metadata: { resourceVersion: '7' } } })
  })
  test('on top of the state that was seen if a list is in it, because lists are replaced as a whole', () => {
    const live = liveWith(stored(wantedOf('ready')))
    expect(plan({ live, wanted: wantedOf('stalled') })).toMatchObject({ patch: { metadata: { resourceVersion: '7' } } })
  })
  test('when only the generation moved: the object must not look current before we have seen it', () => {
    const live = liveWith(stored(wantedOf('ready')), 2)
    expect(plan({ live })).toMatchObject({ do: 'send', patch: { status: { observedGeneration: 2 } } })
  })
})

describe('a status that moves is written once a second', () => {
  const live = liveWith(stored(wantedOf('working', { replicas: 1 })))
  const wanted = wantedOf('working', { replicas: 2 })
  test.each([0, 1, 999])('%i ms after the last: later', (sentAgoMs) => {
    expect(plan({ live, wanted, sentAgoMs })).toEqual({ do: 'later', inMs: STATUS_PAUSE_MS - sentAgoMs })
  })
  test('a second after the last: now', () => expect(plan({ live, wanted, sentAgoMs: 1000 }).do).toBe('send'))
  test('nothing to say needs no later', () => {
    expect(plan({ live, wanted: wantedOf('working', { replicas: 1 }), sentAgoMs: 1 })).toEqual({ do: 'nothing' })
  })
})

test('a field that the CRD does not have is not sent for ever, although its time moves', () => {
  const memory = new NoOpMemory()
  const first = plan({ knownNoOps: memory })
  if (first.do !== 'send') throw new Error('it must be sent once')
  memory.learn('u', first.fingerprint)
  expect(plan({ knownNoOps: memory, nowMs: START_MS + 60_000 })).toEqual({ do: 'nothing' })
  expect(plan({ knownNoOps: memory, wanted: wantedOf('stalled') }).do).toBe('send')
})

describe('conditions', () => {
  test('lines of others stay as they are', () => {
    const status = buildStatus(liveWith({ conditions: [{ ...foreign }] }), wantedOf('ready'), START_MS)
    expect(conditionsOf({ metadata: {}, status })).toContainEqual(foreign)
  })
  test('a line that we no longer write goes', () => {
    const status = buildStatus(
      liveWith({ conditions: [{ ...foreign }] }),
      { ...wantedOf('ready'), retired: ['Theirs'] },
      START_MS,
    )
    expect(conditionsOf({ metadata: {}, status }).map(({ type }) => type)).toEqual(['Ready', 'Reconciling', 'Stalled'])
  })
  test('what is no condition does not break the pass', () => {
    expect(conditionsOf({ metadata: {}, status: { conditions: ['x', null, { status: 'True' }] } })).toEqual([])
    expect(isFirstStatus({ metadata: {}, status: { conditions: 'x' } })).toBe(true)
  })
  test('the first look is over once somebody said Ready', () => {
    expect(isFirstStatus(liveWith())).toBe(true)
    expect(isFirstStatus(liveWith(stored(wantedOf('working'))))).toBe(false)
  })
})

describe('any history', () => {
  const anyKind = fc.constantFrom<ObjectState['kind']>('ready', 'working', 'stalled', 'unknown')
  const anyStep = fc.record({
    kind: anyKind,
    replicas: fc.option(fc.nat(2), { nil: undefined }),
    because: fc.constantFrom('a', 'b'),
  })
  const wantedAt = ({
    kind,
    replicas,
    because,
  }: {
    kind: ObjectState['kind']
    replicas: number | undefined
    because: string
  }) => wantedOf(kind, { replicas }, because)

  test('comes to rest after each write, and the time of a line is that of its last change', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 12 }), (steps) => {
        let status: JsonObject = { conditions: [{ ...foreign }], theirs: { a: 1 } }
        let sinceMs = 0
        steps.forEach((step, index) => {
          const nowMs = START_MS + index * 1000
          const isSame =
            index > 0 &&
            (steps[index - 1]?.kind === 'ready') === (step.kind === 'ready') &&
            readyOf(steps[index - 1]?.kind) === readyOf(step.kind)
          if (!isSame) sinceMs = nowMs
          const next = plan({ live: liveWith(status), wanted: wantedAt(step), nowMs })
          if (next.do === 'send') status = applyMergePatch(status, next.patch.status) as JsonObject
          expect(plan({ live: liveWith(status), wanted: wantedAt(step), nowMs: nowMs + 500 })).toEqual({
            do: 'nothing',
          })
          const ready = conditionsOf({ metadata: {}, status }).find(({ type }) => type === 'Ready')
          expect(parseTime(ready?.lastTransitionTime ?? '')).toBe(sinceMs)
          expect(status).toMatchObject({ theirs: { a: 1 } })
          expect(conditionsOf({ metadata: {}, status })).toContainEqual(foreign)
        })
      }),
    )
  })
  const readyOf = (kind: ObjectState['kind'] | undefined) =>
    kind === 'ready' ? 'True' : kind === 'unknown' ? 'Unknown' : 'False'
})
