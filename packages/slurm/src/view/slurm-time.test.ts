import { createSimulatedSlurm, createVirtualClock } from '@slurm-operator/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { connect } from '../registry/connection.ts'
import { isDrain } from '../states/node-states.ts'
import { Secret } from '../tokens/secret.ts'
import { SlurmTime, timePace } from './slurm-time.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND

function timeOf(read: () => Promise<number | undefined> = async () => undefined) {
  const clock = createVirtualClock()
  return { clock, time: new SlurmTime({ read, clock, pace: timePace }) }
}

describe('looking at the time of Slurm prevents that', () => {
  test('changes are missed for minutes after its clock was set back', async () => {
    const clock = createVirtualClock()
    const slurm = createSimulatedSlurm({ clock, workers: 2, pace: { slurmdTimeoutMs: 10 * HOUR } })
    const token = { kind: 'signing-key', key: new Secret(slurm.signingKey) } as const
    const openTransport = () => slurm.openTransport()
    const connection = connect({ endpoints: ['http://a'], token }, { clock, random: () => 0, openTransport })
    await clock.advance(70 * SECOND)
    slurm.setClockSkew(-HOUR)
    slurm.orders.updateNode('worker-1', { state: 'DRAIN', reason: 'theirs' })
    await clock.advance(31 * SECOND)
    expect(isDrain(connection.view.node('worker-1'))).toBe('yes')
    await connection.close()
  })

  test('the word that nothing has changed counts as a list, in the seconds until somebody looks at the time', async () => {
    const clock = createVirtualClock()
    const slurm = createSimulatedSlurm({ clock, workers: 2, pace: { slurmdTimeoutMs: 10 * HOUR } })
    const token = { kind: 'signing-key', key: new Secret(slurm.signingKey) } as const
    const connection = connect(
      { endpoints: ['http://a'], token },
      { clock, random: () => 0, openTransport: () => slurm.openTransport() },
    )
    const { view } = connection
    await clock.advance(70 * SECOND)
    view.hurry('nodes', 20 * SECOND)
    await clock.advance(5 * SECOND)
    slurm.setClockSkew(-HOUR)
    slurm.orders.updateNode('worker-1', { state: 'DRAIN', reason: 'theirs' })
    await clock.advance(5 * SECOND)
    const known = view.node('worker-1')
    expect(known.kind === 'seen' && clock.now() - known.atMs < 2 * SECOND && isDrain(known)).toBe('no') // it seems new
    expect(view.wholeListAgeMs()).toBeGreaterThan(5 * SECOND)
    const listing = view.refresh('nodes', 5 * SECOND)
    await clock.advance(2 * SECOND)
    expect([await listing, isDrain(view.node('worker-1'))]).toEqual([true, 'yes'])
    expect(view.wholeListAgeMs()).toBeLessThanOrEqual(2 * SECOND)
    await connection.close()
  })

  test('everybody who wants to know costs a request', async () => {
    let reads = 0
    const { clock, time } = timeOf(async () => (reads++, clock.now()))
    await Promise.all([time.checkSetBacks(), time.checkSetBacks()])
    await time.checkSetBacks()
    expect(reads).toBe(1)
    await clock.advance(timePace.timeCheckEveryMs)
    await time.checkSetBacks()
    expect(reads).toBe(2)
  })

  test('silence counts as a clock that goes forward', async () => {
    const { time } = timeOf(() => Promise.reject(new Error('away')))
    expect(await time.checkSetBacks()).toBeNaN()
  })

  test('a Slurm that does not tell its time is asked without end', async () => {
    let reads = 0
    const { time } = timeOf(async () => void reads++)
    expect([await time.checkSetBacks(), await time.checkSetBacks()]).toEqual([0, 0])
    expect(reads).toBe(1)
  })
})

describe('whatever time an answer takes', () => {
  const anyAnswers = fc.array(
    fc.record({ afterMs: fc.nat(60 * SECOND), tookMs: fc.nat(15 * SECOND), part: fc.nat(1000) }),
    {
      minLength: 2,
      maxLength: 20,
    },
  )
  /** What Slurm tells at a moment within the answer, in whole seconds. */
  const tell = (time: SlurmTime, askedAtMs: number, tookMs: number, part: number, skewMs: number): void => {
    const slurmMs = Math.floor((askedAtMs + (tookMs * part) / 1000 + skewMs) / 1000) * 1000
    time.note(slurmMs, { askedAtMs, answeredAtMs: askedAtMs + tookMs })
  }

  test('a clock that goes forward, or is set ahead, is not said to be set back', () => {
    fc.assert(
      fc.property(anyAnswers, fc.nat(HOUR), (answers, jumpMs) => {
        const { time } = timeOf()
        let nowMs = 0
        answers.forEach(({ afterMs, tookMs, part }, at) => {
          nowMs += afterMs
          tell(time, nowMs, tookMs, part, at < answers.length / 2 ? 0 : jumpMs)
          nowMs += tookMs
        })
        expect(time.setBackCount).toBe(0)
      }),
    )
  })

  test('a clock that was set back by more than an answer took is found out', () => {
    fc.assert(
      fc.property(anyAnswers, fc.integer({ min: 33 * SECOND, max: HOUR }), (answers, backMs) => {
        const { time } = timeOf()
        let nowMs = 0
        answers.forEach(({ afterMs, tookMs, part }, at) => {
          nowMs += afterMs
          tell(time, nowMs, tookMs, part, at < answers.length - 1 ? 0 : -backMs)
          nowMs += tookMs
        })
        expect(time.setBackCount).toBe(1)
      }),
    )
  })
})
