import { KubeError, sleep, type ObjectKey } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { settled, type Outcome } from '../outcome/outcome.ts'
import { key, startLoop } from './gen.ts'
import type { LoopSource } from './source.ts'

const limits = { deadlineMs: 60_000, abortGraceMs: 10_000 }
const never = () => new Promise<Outcome>(() => {})

describe('the loop prevents that', () => {
  test('a pass that hangs keeps all other keys waiting for ever', async () => {
    const passes: string[] = []
    const { clock, loop, lines, accidents } = startLoop(
      ({ name }) => {
        passes.push(name)
        return name === 'hangs' ? never() : Promise.resolve(settled)
      },
      { limits },
    )
    loop.wake(key('hangs'))
    loop.wake(key('other'))
    await clock.advance(limits.deadlineMs)
    expect(passes, 'one worker, and it is busy').toEqual(['hangs'])
    expect(loop.whyUnhealthy()).toBeUndefined()
    await clock.advance(limits.abortGraceMs)
    expect(passes).toEqual(['hangs', 'other'])
    expect(loop.whyUnhealthy()).toBe('passes of thing do not end although they were told to: a/hangs for 70 s')
    expect(loop.gauges()).toMatchObject({ workers: 1, activeWorkers: 0, queue: { running: 1 } })
    expect(lines.at(-1)).toMatchObject({ level: 'error', controller: 'thing', namespace: 'a', name: 'hangs' })

    loop.wake(key('hangs'))
    await clock.advance(24 * 3600_000)
    expect(passes, 'never two passes on one key').toEqual(['hangs', 'other'])
    expect(accidents).toEqual([])
  })

  test('a stuck pass that ends after all leaves the program unhealthy and its key asleep', async () => {
    const late = Promise.withResolvers<Outcome>()
    let passes = 0
    const { clock, loop } = startLoop(() => (++passes === 1 ? late.promise : Promise.resolve(settled)), { limits })
    loop.wake(key('x'))
    await clock.advance(70_000)
    loop.wake(key('x'))
    late.resolve(settled)
    await clock.settle()
    expect(loop.whyUnhealthy()).toBeUndefined()
    expect(passes).toBe(2)
  })

  test('a pass does not learn that its time is over', async () => {
    const { clock, loop, verdicts } = startLoop(async (_key, { signal }) => {
      await sleep(clock, 3600_000, signal)
      return settled
    })
    loop.wake(key('x'))
    await clock.advance(5 * 60_000)
    expect(verdicts).toMatchObject([{ result: 'error', errors: [{ name: 'PassDeadlineError' }], isBug: false }])
    expect(loop.whyUnhealthy()).toBeUndefined()
  })

  test('a pass that was aborted at its deadline is told as a failure of some call', async () => {
    const { clock, loop, lines } = startLoop(
      async (_key, { signal }) => {
        try {
          await sleep(clock, 3600_000, signal)
        } catch (error) {
          throw new KubeError({ reason: 'Aborted', request: 'list pods', detail: 'the caller gave up' }, error)
        }
        return settled
      },
      { limits },
    )
    loop.wake(key('x'))
    await clock.advance(60_000)
    expect(lines).toMatchObject([
      {
        error: 'Cannot finish the pass: it took longer than 60 s.',
        causes: [expect.stringContaining('Cannot list pods'), expect.anything()],
      },
    ])
  })

  test('a pass that throws stops the loop, or the other keys', async () => {
    const passes: string[] = []
    const { clock, loop, verdicts, lines } = startLoop(({ name }) => {
      passes.push(name)
      if (name === 'throws') throw new TypeError('x is not a function')
      return name === 'rejects' ? Promise.reject(new Error('no')) : Promise.resolve(settled)
    })
    for (const name of ['throws', 'rejects', 'fine']) loop.wake(key(name))
    await clock.settle()
    expect(passes).toEqual(['throws', 'rejects', 'fine'])
    expect(verdicts.map(({ result, isBug }) => [result, isBug])).toEqual([
      ['error', true],
      ['error', false],
      ['success', false],
    ])
    expect(lines.map(({ level, error, name }) => [level, error, name])).toEqual([
      ['error', 'TypeError: x is not a function', 'throws'],
      ['error', 'no', 'rejects'],
    ])
    await clock.advance(1000)
    expect(
      passes.filter((name) => name === 'throws'),
      'at 0, 5, 15, 35, 75, 155, 315 and 635 ms',
    ).toHaveLength(8)
    expect(passes.filter((name) => name === 'fine')).toHaveLength(1)
  })

  test('a pass without an outcome, or with a wish that is no time, takes the worker with it', async () => {
    const outcomes = [settled, { kind: 'look-again', inSeconds: Number.NaN } as const, undefined as unknown as Outcome]
    const { clock, loop, verdicts } = startLoop(() => Promise.resolve(outcomes.pop() as Outcome))
    loop.wake(key('x'))
    await clock.advance(1000)
    expect(verdicts.map(({ result }) => result)).toEqual(['error', 'error', 'success'])
  })

  test('a lost race is shouted about as an error', async () => {
    const conflict = new KubeError({ reason: 'Conflict', request: 'update pods a/b', detail: 'changed' })
    const outcomes: Outcome[] = [{ kind: 'retry', errors: [conflict] }]
    const { clock, loop, lines, verdicts } = startLoop(() => Promise.resolve(outcomes.shift() ?? settled))
    loop.wake(key('x'))
    await clock.advance(1000)
    expect(verdicts.map(({ result }) => result)).toEqual(['error', 'success'])
    expect(lines).toMatchObject([{ level: 'info', msg: 'somebody else was faster; trying again' }])
  })

  test('several failures of one pass are told as one', async () => {
    const errors = [new Error('one'), new Error('two')]
    const outcomes: Outcome[] = [{ kind: 'retry', errors }]
    const { clock, loop, lines } = startLoop(() => Promise.resolve(outcomes.shift() ?? settled))
    loop.wake(key('x'))
    await clock.settle()
    expect(lines).toMatchObject([{ level: 'error', errors: ['one', 'two'] }])
    expect(lines[0]?.['reconcileID']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('an object that only a person can help is tried over and over', async () => {
    let passes = 0
    const stalled: Outcome = { kind: 'stalled', reason: 'BadImage', because: 'the image does not exist' }
    const { clock, loop, lines } = startLoop(() => (passes++, Promise.resolve(stalled)))
    loop.wake(key('x'))
    await clock.advance(24 * 3600_000)
    expect(passes).toBe(1)
    expect(lines).toMatchObject([{ level: 'info', reason: 'BadImage', because: 'the image does not exist' }])
  })

  test('a wish to look again is forgotten, or the longest wins', async () => {
    const times: number[] = []
    const { clock, loop } = startLoop(() => {
      times.push(clock.monotonic())
      return Promise.resolve({ kind: 'look-again', inSeconds: 30 })
    })
    loop.wake(key('x'))
    await clock.advance(10_000)
    loop.wake(key('x'))
    await clock.advance(60_000)
    expect(times).toEqual([0, 10_000, 40_000, 70_000])
  })

  test('a thousand keys without a single wait in their passes keep everybody else from running', async () => {
    let turns = 0
    let passes = 0
    const { clock, loop } = startLoop(() => (passes++, Promise.resolve(settled)))
    const isBusy = () => passes < 1000
    const counting = (async () => {
      for (; isBusy(); turns++) await clock.breathe()
    })()
    for (let n = 0; n < 1000; n++) loop.wake(key(String(n)), { priority: 'low' })
    await counting
    expect(passes).toBe(1000)
    expect(turns).toBeGreaterThan(900)
  })
})

describe('at its beginning and end, the loop prevents that', () => {
  test('work begins before the sources have told what there is', async () => {
    const told = Promise.withResolvers<void>()
    const seen: ObjectKey[] = []
    const source: LoopSource = {
      name: 'things',
      start: async (wake) => {
        wake({ name: 'of-cluster' }, { priority: 'low' })
        wake(key('x'), { priority: 'low' })
        await told.promise
      },
    }
    const { clock, state } = startLoop((one) => (seen.push(one), Promise.resolve(settled)), { sources: [source] })
    await clock.settle()
    expect([state.isReady, seen.length]).toEqual([false, 0])
    told.resolve()
    await clock.settle()
    expect(state.isReady).toBe(true)
    expect(seen).toEqual([{ name: 'of-cluster' }, { namespace: 'a', name: 'x' }])
  })

  test('a source that never tells keeps the loop waiting for ever, without a word', async () => {
    const source: LoopSource = { name: 'things', start: () => new Promise(() => {}) }
    const { clock, ended } = startLoop(() => Promise.resolve(settled), { sources: [source] })
    const why = 'its source things has not told its objects: it took longer than 120 s'
    await expect(clock.drive(ended)).rejects.toThrow(why)
    expect(clock.monotonic()).toBe(120_000)
  })

  test('the end interrupts a pass that could have finished, or begins a new one', async () => {
    const passes: string[] = []
    const { clock, loop, ended, stop, verdicts } = startLoop(async ({ name }, { signal }) => {
      passes.push(name)
      await sleep(clock, 15_000, signal)
      return settled
    })
    loop.wake(key('x'))
    loop.wake(key('y'))
    await clock.advance(1_000)
    stop()
    await clock.drive(ended)
    expect(clock.monotonic()).toBe(15_000)
    expect(passes).toEqual(['x'])
    expect(verdicts).toMatchObject([{ result: 'success' }])
  })

  test('the end waits for a pass although there is no time left, and calls it a failure', async () => {
    const { clock, loop, ended, stop, abort, lines } = startLoop(async (_key, { signal }) => {
      await sleep(clock, 3600_000, signal)
      return settled
    })
    loop.wake(key('x'))
    await clock.settle()
    stop()
    await clock.advance(20_000)
    abort()
    await clock.drive(ended)
    expect(clock.monotonic()).toBe(20_000)
    expect(lines).toMatchObject([{ level: 'info', msg: 'a pass was left because the program ends' }])
  })
})
