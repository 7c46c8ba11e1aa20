import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  LONGEST_MESSAGE,
  shortenMessage,
  whyInvalidCondition,
  type Condition,
  type WantedCondition,
} from './condition.ts'
import { overallStatus, type Reported } from './overall-status.ts'
import { findCondition, removeCondition, setCondition, setConditions } from './set-condition.ts'

const earlier = '2026-01-01T00:00:00Z'
const now = '2026-01-02T00:00:00Z'
const wanted: WantedCondition = {
  type: 'Ready',
  status: 'True',
  observedGeneration: 1,
  reason: 'AllFine',
  message: 'all is well',
}
const before: Condition = { ...wanted, lastTransitionTime: earlier }
const stalled: Condition = { ...before, type: 'Stalled', status: 'False' }

describe('setting a condition', () => {
  test('a new one gets the time of now', () => {
    expect(setCondition([], wanted, now)).toEqual([{ ...wanted, lastTransitionTime: now }])
  })
  test('nothing new returns the same list, so nothing is written', () => {
    const list = [stalled, before]
    expect(setCondition(list, wanted, now)).toBe(list)
  })
  test('a new reason, message or generation does not move the time', () => {
    const [after] = setCondition([before], { ...wanted, reason: 'Other', message: 'other', observedGeneration: 2 }, now)
    expect(after).toEqual({ ...before, reason: 'Other', message: 'other', observedGeneration: 2 })
  })
  test('a new status does', () => {
    expect(setCondition([before], { ...wanted, status: 'Unknown' }, now)[0]?.lastTransitionTime).toBe(now)
  })
  test('the list is sorted, whoever came first', () => {
    const list = setConditions([], [{ ...wanted, type: 'Stalled' }, wanted, { ...wanted, type: 'Available' }], now)
    expect(list.map(({ type }) => type)).toEqual(['Available', 'Ready', 'Stalled'])
  })
  test('fields that are no part of a condition are not copied', () => {
    const stray: WantedCondition & { secret: string } = { ...wanted, secret: 'x' }
    expect(JSON.stringify(setCondition([], stray, now))).not.toContain('secret')
  })
  test('a message that is too long does not stop the status from being written', () => {
    const [after] = setCondition([], { ...wanted, message: '😀'.repeat(LONGEST_MESSAGE + 5) }, now)
    expect(Array.from(after?.message ?? '')).toHaveLength(LONGEST_MESSAGE)
    expect(after?.message.endsWith('😀…')).toBe(true)
  })
  test('find and remove', () => {
    expect(findCondition([stalled, before], 'Ready')).toBe(before)
    expect(findCondition(undefined, 'Ready')).toBeUndefined()
    expect(removeCondition([stalled, before], 'Ready')).toEqual([stalled])
    const list = [before]
    expect(removeCondition(list, 'Other')).toBe(list)
  })
})

describe('what the server would refuse', () => {
  test.each(['', 'not a word', '1st', 'Ends:', 'x'.repeat(1025)])('reason %j', (reason) => {
    expect(() => setCondition([], { ...wanted, reason }, now)).toThrow('Cannot set the condition Ready')
  })
  test.each(['', 'a b', '/Ready', 'x'.repeat(317)])('type %j', (type) =>
    expect(whyInvalidCondition({ ...wanted, type })).toBeTypeOf('string'),
  )
  test('odd but allowed', () => {
    expect(whyInvalidCondition({ ...wanted, type: 'example.com/Ready', reason: 'A:b,c_d' })).toBeUndefined()
    expect(whyInvalidCondition({ ...wanted, message: 'x'.repeat(LONGEST_MESSAGE) })).toBeUndefined()
    expect(whyInvalidCondition({ ...wanted, message: 'x'.repeat(LONGEST_MESSAGE + 1) })).toContain('message')
    expect(whyInvalidCondition({ ...wanted, observedGeneration: -1 })).toContain('generation')
  })
  test('a message of the longest length is not touched', () => {
    const message = 'ä'.repeat(LONGEST_MESSAGE)
    expect(shortenMessage(message)).toBe(message)
  })
})

describe('the one word that tools show', () => {
  const ready = (status: Condition['status']) => ({ type: 'Ready', status })
  const rows: readonly { name: string; object: Reported; word: string }[] = [
    { name: 'no conditions', object: {}, word: 'Current' },
    { name: 'ready', object: { status: { conditions: [ready('True')] } }, word: 'Current' },
    { name: 'not ready', object: { status: { conditions: [ready('False')] } }, word: 'InProgress' },
    { name: 'nobody knows', object: { status: { conditions: [ready('Unknown')] } }, word: 'InProgress' },
    {
      name: 'ready, but for an older spec',
      object: { metadata: { generation: 2 }, status: { observedGeneration: 1, conditions: [ready('True')] } },
      word: 'InProgress',
    },
    {
      name: 'ready and working',
      object: { status: { conditions: [ready('True'), { type: 'Reconciling', status: 'True' }] } },
      word: 'InProgress',
    },
    {
      name: 'stalled',
      object: { status: { conditions: [ready('False'), { type: 'Stalled', status: 'True' }] } },
      word: 'Failed',
    },
    {
      name: 'not stalled',
      object: { status: { conditions: [ready('True'), { type: 'Stalled', status: 'False' }] } },
      word: 'Current',
    },
    {
      name: 'being deleted',
      object: { metadata: { deletionTimestamp: now }, status: { conditions: [ready('True')] } },
      word: 'Terminating',
    },
  ]
  test.each(rows)('$name: $word', ({ object, word }) => expect(overallStatus(object)).toBe(word))
})

test('however often a status flaps, the time is that of the last change', () => {
  const anyStatus = fc.constantFrom<Condition['status']>('True', 'False', 'Unknown')
  fc.assert(
    fc.property(fc.array(anyStatus, { minLength: 1, maxLength: 20 }), (history) => {
      const list = history.reduce<readonly Condition[]>(
        (conditions, status, step) => setCondition(conditions, { ...wanted, status, message: `${step}` }, `${step}`),
        [],
      )
      const last = history.length - 1
      const lastChange = history.findLastIndex((status, step) => step === 0 || history[step - 1] !== status)
      expect(list).toEqual([
        { ...wanted, status: history[last], message: `${last}`, lastTransitionTime: `${lastChange}` },
      ])
    }),
  )
})
