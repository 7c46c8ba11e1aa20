import { describe, expect, test } from 'vitest'
import { createVirtualClock } from '@slurm-operator/testkit'
import { createLogger } from '../logging/logger.ts'
import { Supervisor } from '../supervise/supervisor.ts'
import { untilAborted } from '../supervise/until-aborted.ts'
import type { Component, Life } from './component.ts'
import { Manager, type ManagerOptions } from './manager.ts'

/** A component that writes down what happens to it. */
class Part implements Component {
  readonly name: string
  readonly #story: string[]
  life: Life | undefined
  readonly failure = Promise.withResolvers<void>()
  readonly canStop = Promise.withResolvers<void>()

  constructor(name: string, story: string[], { isReady = true, stopsAtOnce = true } = {}) {
    this.name = name
    this.#story = story
    if (isReady) this.beReady = () => this.life?.ready()
    if (stopsAtOnce) this.canStop.resolve()
  }

  beReady = () => {}

  async run(life: Life): Promise<void> {
    this.life = life
    this.#story.push(`${this.name} starts`)
    this.beReady()
    await Promise.race([this.failure.promise, untilAborted(life.stop)])
    if (life.stop.aborted) this.#story.push(`${this.name} is stopped`)
    await Promise.race([this.canStop.promise, untilAborted(life.abort)])
    if (life.stop.aborted) this.#story.push(`${this.name} is gone`)
  }
}

function start(options: Partial<ManagerOptions>) {
  const clock = createVirtualClock()
  const lines: Record<string, unknown>[] = []
  const log = createLogger({ clock, write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) })
  const manager = new Manager({ clock, log, ...options })
  const asked = new AbortController()
  const ended = manager.run(asked.signal)
  return { clock, manager, lines, ended, ask: () => asked.abort() }
}

describe('the manager prevents that', () => {
  test('a part starts before what it needs, or outlives it', async () => {
    const story: string[] = []
    const [server, cache, election, loop] = ['server', 'cache', 'election', 'loop'].map(
      (name) => new Part(name, story),
    ) as [Part, Part, Part, Part]
    const { clock, ended, ask } = start({ servers: [server], caches: [cache], election, loops: [loop] })
    await clock.settle()
    expect(story).toEqual(['server starts', 'cache starts', 'election starts', 'loop starts'])
    ask()
    expect(await clock.drive(ended)).toEqual({ code: 0, because: 'we were asked to stop' })
    expect(story.slice(4)).toEqual(
      ['loop', 'election', 'cache', 'server'].flatMap((name) => [`${name} is stopped`, `${name} is gone`]),
    )
  })

  test('a standby works, or does not count as ready because it does not lead', async () => {
    const story: string[] = []
    const cache = new Part('pods', story, { isReady: false })
    const election = new Part('election', story, { isReady: false })
    const loop = new Part('loop', story)
    const { clock, manager, ended, ask } = start({ caches: [cache], election, loops: [loop] })
    await clock.advance(1000)
    expect(manager.whyNotReady()).toBe('not ready yet: pods')
    cache.life?.ready()
    await clock.advance(24 * 3600_000)
    expect(manager.whyNotReady()).toBeUndefined()
    expect(story).toEqual(['pods starts', 'election starts'])
    ask()
    election.life?.ready()
    await clock.drive(ended)
    expect(manager.whyNotReady()).toBe('the program ends')
    expect(story, 'leadership that comes too late').not.toContain('loop starts')
  })

  test('a cache that never syncs keeps a program alive that does nothing', async () => {
    const cache = new Part('pods', [], { isReady: false })
    const { clock, ended } = start({ caches: [cache, new Part('nodes', [])] })
    const ending = await clock.drive(ended)
    expect(ending).toMatchObject({
      code: 1,
      because: 'pods failed: Cannot start the caches: it took longer than 120 s.',
    })
  })

  for (const [name, fail] of [
    ['fails', (part: Part) => part.failure.reject(new Error('disk full'))],
    ['ends by itself', (part: Part) => part.failure.resolve()],
  ] as const) {
    test(`a part ${name} and the rest goes on as if nothing had happened`, async () => {
      const story: string[] = []
      const cache = new Part('cache', story)
      const loop = new Part('loop', story, { stopsAtOnce: false })
      const { clock, ended, lines } = start({ caches: [cache], loops: [loop] })
      await clock.settle()
      fail(cache)
      const { code, because } = await clock.drive(ended)
      expect(code).toBe(1)
      expect(because).toMatch(/^cache failed: (disk full|Cannot go on: cache ended without being asked to\.)$/)
      expect(clock.monotonic(), 'nobody waits for a pass that may not write any more').toBe(0)
      expect(story).toContain('loop is gone')
      expect(lines).toMatchObject([{ level: 'error', msg: 'stopping because cache failed' }])
    })
  }

  test('a pass that takes too long keeps the Lease until the kubelet kills us', async () => {
    const story: string[] = []
    const election = new Part('election', story)
    const loop = new Part('loop', story, { stopsAtOnce: false })
    const { clock, ended, ask } = start({ election, loops: [loop] })
    await clock.settle()
    ask()
    await clock.advance(19_999)
    expect(story.at(-1)).toBe('loop is stopped')
    expect((await clock.drive(ended)).code).toBe(0)
    expect(clock.monotonic()).toBe(20_000)
    expect(story.slice(-3)).toEqual(['loop is gone', 'election is stopped', 'election is gone'])
  })

  test('a part that ignores everything keeps the program from ending, or the Lease is given away while it works', async () => {
    const story: string[] = []
    const election = new Part('election', story)
    const deaf: Component = {
      name: 'deaf',
      run: ({ ready }) => {
        ready()
        return new Promise(() => {})
      },
    }
    const { clock, ended, ask, lines } = start({ election, loops: [deaf] })
    await clock.settle()
    ask()
    expect(await clock.drive(ended)).toEqual({ code: 1, because: 'not stopped in time: election, deaf' })
    expect(clock.monotonic()).toBe(30_000)
    expect(story).toEqual(['election starts'])
    expect(lines.at(-1)).toMatchObject({ level: 'error', parts: ['election', 'deaf'] })
  })

  test('work that nobody awaits fails in silence', async () => {
    const supervisor = new Supervisor()
    const { clock, ended } = start({ supervisor, servers: [new Part('server', [])] })
    await clock.settle()
    supervisor.watch('rotating certificates', Promise.resolve('fine'))
    supervisor.watch('rotating certificates', Promise.reject(new Error('no disk')))
    expect(await clock.drive(ended)).toMatchObject({ code: 1, because: 'rotating certificates failed: no disk' })
  })

  test('being asked to stop while starting is forgotten', async () => {
    const story: string[] = []
    const { clock, ended, ask } = start({
      caches: [new Part('cache', story, { isReady: false })],
      loops: [new Part('loop', story)],
    })
    await clock.settle()
    ask()
    expect((await clock.drive(ended)).code).toBe(0)
    expect(story).toEqual(['cache starts', 'cache is stopped', 'cache is gone'])
  })
})
