import { createVirtualClock } from '@slurm-operator/testkit'
import { describe, expect, test } from 'vitest'
import { OrderPace } from './order-pace.ts'
import type { Step } from './steps.ts'

const drain = (name: string): Step => {
  return { do: 'drain', slurmName: name, drainReason: 'x', chain: `pod/${name}`, reason: 'x', because: 'x' }
}
const error = new Error('no')

function start() {
  const clock = createVirtualClock()
  const pace = new OrderPace(clock.now)
  const fail = (step: Step) => pace.note('a/foo', [{ kind: 'failed', step, error }])
  const pauseMs = (step: Step, owner = 'a/foo') => pace.findHeld(owner, step)?.inMs ?? 0
  return { clock, pace, fail, pauseMs }
}

describe('orders that fail', () => {
  test('come with every list, for as long as lists are answered and orders are not', async () => {
    const { clock, fail, pauseMs } = start()
    const pauses: number[] = []
    for (let tries = 0; tries < 7; tries++) {
      fail(drain('foo-0'))
      pauses.push(pauseMs(drain('foo-0')))
      await clock.advance(pauses.at(-1) ?? 0)
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    expect(pauseMs(drain('foo-0'))).toBe(0)
  })

  test('hold back others: of another node, kind or NodeSet', () => {
    const { fail, pauseMs } = start()
    fail(drain('foo-0'))
    expect(pauseMs(drain('foo-1'))).toBe(0)
    expect(pauseMs({ ...drain('foo-0'), do: 'undrain' } as Step)).toBe(0)
    expect(pauseMs(drain('foo-0'), 'b/foo')).toBe(0)
  })

  test('are paced after they were carried out', () => {
    const { pace, fail, pauseMs } = start()
    fail(drain('foo-0'))
    pace.note('a/foo', [{ kind: 'done', step: drain('foo-0') }])
    expect(pauseMs(drain('foo-0'))).toBe(0)
    fail(drain('foo-0'))
    expect(pauseMs(drain('foo-0'))).toBe(1000)
  })

  test('come with every list, where they are deletions before which Slurm is asked', () => {
    const { fail, pauseMs } = start()
    const common = { pod: 'foo-0', uid: 'u', chain: 'pod/foo-0', reason: 'x', because: 'x' } as const
    const deletion: Step = { do: 'delete-pod', drainedAs: 'foo-0', ...common }
    fail(deletion)
    expect(pauseMs(deletion)).toBe(1000)
  })

  test('are remembered for ever', async () => {
    const { clock, fail, pauseMs } = start()
    fail(drain('foo-0'))
    fail(drain('foo-0'))
    await clock.advance(60_000)
    fail(drain('foo-0'))
    expect(pauseMs(drain('foo-0'))).toBe(1000)
  })

  test('hold back steps that ask nothing of Slurm', () => {
    const { fail, pauseMs } = start()
    const adopt: Step = { do: 'adopt-pod', pod: 'foo-0', uid: 'u', chain: 'pod/foo-0', reason: 'x', because: 'x' }
    fail(adopt)
    expect(pauseMs(adopt)).toBe(0)
  })
})
