import { describe, expect, test } from 'vitest'
import type { Happening } from './happening.ts'
import { about, failure, happening, startRecorder } from './gen.ts'

describe('repetitions', () => {
  test('the same again is a count in the same Event, not another Event', async () => {
    const { clock, record, created, patched } = startRecorder()
    for (let times = 0; times < 50; times++) record(happening)
    await clock.advance(10)
    expect(created).toHaveLength(1)
    record(happening)
    await clock.advance(120_000)
    expect(created).toHaveLength(1)
    expect(patched.at(-1)?.body.series).toEqual({ count: 51, lastObservedTime: '2030-01-01T00:00:00.010000Z' })
    expect(patched.at(-1)?.key).toEqual({ namespace: 'n', name: created[0]?.metadata.name })
  })

  test('the first repetition is told at once, then the count at most once a minute', async () => {
    const { clock, record, patched } = startRecorder()
    record(happening)
    for (let second = 0; second < 300; second++) {
      await clock.advance(1_000)
      record(happening)
    }
    await clock.advance(60_000)
    expect(patched.map(({ atMs }) => Math.round(atMs / 1000))).toEqual([1, 61, 121, 181, 241, 301])
    expect(patched.at(-1)?.body.series?.count).toBe(301)
  })

  test.each([
    ['another note', { note: 'other' }],
    ['another reason', { reason: 'Other' }],
    ['another type', { type: 'Warning' }],
    ['another action', { action: 'Other' }],
    ['a second object', { related: happening.regarding }],
  ] as const)('%s is another Event', async (_name, change) => {
    const { clock, record, created } = startRecorder()
    record(happening)
    record({ ...happening, ...change })
    await clock.advance(1)
    expect(created).toHaveLength(2)
  })

  test('after six quiet minutes it is a new Event: people look at its time', async () => {
    const { clock, record, created } = startRecorder()
    record(happening)
    await clock.advance(6 * 60_000 + 1)
    record(happening)
    await clock.advance(1)
    expect(created).toHaveLength(2)
    expect(created[0]?.metadata.name).not.toBe(created[1]?.metadata.name)
  })

  test('an Event that expired meanwhile is made again, with its count', async () => {
    const answers = [undefined, failure('NotFound'), undefined]
    const { clock, record, created } = startRecorder({}, () => answers.shift())
    record(happening)
    await clock.advance(1)
    record(happening)
    await clock.advance(1)
    expect(created.map(({ series }) => series?.count)).toEqual([undefined, 2])
  })
})

describe('limits', () => {
  test('one object that talks too much does not silence the others', async () => {
    const { clock, record, created, dropped } = startRecorder({ perObject: { burst: 3, everyMs: 10_000 } })
    for (let number = 0; number < 10; number++) record({ ...happening, note: `${number}` })
    record(about('other'))
    await clock.advance(10)
    expect(created).toHaveLength(4)
    expect(dropped).toEqual(Array<string>(7).fill('object-limit'))
    await clock.advance(10_000)
    record({ ...happening, note: 'again' })
    await clock.advance(10)
    expect(created).toHaveLength(5)
  })

  test('all together are sent at a steady pace', async () => {
    const { clock, record, created } = startRecorder({ overall: { burst: 5, perSecond: 10 } })
    for (let number = 0; number < 25; number++) record(about(`o-${number}`))
    await clock.advance(1)
    expect(created).toHaveLength(5)
    await clock.advance(1_000)
    expect(created).toHaveLength(15)
    await clock.advance(1_000)
    expect(created).toHaveLength(25)
  })

  test('more than the queue holds is dropped and counted, and nobody waits', async () => {
    const { clock, record, created, dropped } = startRecorder({ mostWaiting: 10 })
    for (let number = 0; number < 15; number++) record(about(`o-${number}`))
    expect(dropped).toEqual(Array<string>(5).fill('queue-full'))
    await clock.advance(1_000)
    expect(created).toHaveLength(10)
  })

  test('what is remembered does not grow for ever', async () => {
    const { clock, record, created } = startRecorder({ mostSeries: 5 })
    for (let number = 0; number < 20; number++) {
      record(about(`o-${number}`))
      await clock.advance(1_000)
    }
    record(about('o-0')) // forgotten, so it is a new Event
    await clock.advance(1_000)
    expect(created).toHaveLength(21)
  })
})

describe('what goes wrong', () => {
  test.each(['NotFound', 'Forbidden'] as const)(
    '%s: quiet, one line in the log, and the next is tried',
    async (reason) => {
      let answer: Error | undefined = failure(reason)
      const { clock, record, created, dropped, lines } = startRecorder({}, () => answer)
      for (let number = 0; number < 5; number++) record(about(`o-${number}`))
      await clock.advance(1_000)
      expect(dropped).toEqual(Array<string>(5).fill('quiet'))
      expect(lines).toHaveLength(1)
      answer = undefined
      record(about('later'))
      await clock.advance(1)
      expect(created).toHaveLength(1)
    },
  )

  test('a server in trouble gets the Event when it is back, and the pass never noticed', async () => {
    const answers = [failure('ServiceUnavailable'), failure('Timeout'), undefined]
    const { clock, record, created, dropped } = startRecorder({}, () => answers.shift())
    record(happening)
    await clock.advance(500)
    expect(created).toHaveLength(0)
    await clock.advance(3_000)
    expect(created).toHaveLength(1)
    expect(dropped).toEqual([])
  })

  test('a server that stays away costs Events, not memory', async () => {
    const { clock, record, dropped } = startRecorder({}, () => failure('Unreachable'))
    record(happening)
    await clock.advance(60_000)
    expect(dropped).toEqual(['failed'])
  })

  test('a try that came through after all is not told twice', async () => {
    const answers = [failure('Timeout'), failure('AlreadyExists')]
    const { clock, record, dropped, patched } = startRecorder({}, () => answers.shift())
    record(happening)
    await clock.advance(5_000)
    record(happening)
    await clock.advance(60_000)
    expect(dropped).toEqual([])
    expect(patched).toHaveLength(1)
  })

  test('an Event that the server refuses does not hold back the next', async () => {
    const answers = [failure('Invalid')]
    const { clock, record, created, dropped } = startRecorder({}, () => answers.shift())
    record(about('a'))
    record(about('b'))
    await clock.advance(1_000)
    expect(dropped).toEqual(['refused'])
    expect(created).toHaveLength(1)
  })

  test('a loop with a name that the server refuses is a mistake at the start, not in every Event', () => {
    const { recorder } = startRecorder()
    expect(() => recorder.as('two words')).toThrow('Cannot record Events as "two words"')
  })
})

test('an Event that cannot even be made does not fail the pass', async () => {
  const { record, dropped, lines } = startRecorder()
  const broken = { ...happening, regarding: undefined } as unknown as Happening
  record(broken)
  record(broken)
  expect(dropped).toEqual(['failed', 'failed'])
  expect(lines).toHaveLength(1)
})

test('no secret gets into an Event', async () => {
  const { clock, record, created } = startRecorder()
  record({ ...happening, note: 'the token s3cret is bad' })
  await clock.advance(1)
  expect(created[0]?.note).toBe('the token <hidden> is bad')
})

describe('the end', () => {
  test('what waits is sent before the program ends, counts included', async () => {
    const { clock, record, created, patched, ended, stop } = startRecorder({ overall: { burst: 1, perSecond: 0.01 } })
    record(happening)
    await clock.advance(1)
    record(happening)
    await clock.advance(200_000)
    record(happening)
    for (let number = 0; number < 5; number++) record(about(`o-${number}`))
    stop()
    await clock.drive(ended, 1_000)
    expect(created).toHaveLength(6)
    expect(patched.at(-1)?.body.series?.count).toBe(3)
  })

  test('a server that hangs does not hold the program', async () => {
    const { clock, record, ended, stop, created } = startRecorder({}, () => 'hang')
    record(happening)
    await clock.advance(1_000)
    stop()
    await clock.drive(ended, 10_000)
    expect(created).toEqual([])
  })

  test('no time left: everything is dropped at once', async () => {
    const { clock, ended, stop, abort } = startRecorder()
    stop()
    abort()
    await clock.drive(ended, 0)
  })
})
