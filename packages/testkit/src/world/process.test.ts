import { configMapResource, sleep } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { inhabit, stateOf, thing } from './gen.ts'
import { createRandomSource } from '../random/random-source.ts'
import { createVirtualClock } from '../clock/virtual-clock.ts'
import { planExactly } from './plan.ts'
import { createProcess } from './process.ts'

const key = { namespace: 'default', name: 'one' }

describe('a process that is killed', () => {
  for (const when of ['before', 'after'] as const) {
    test(`${when} a write is stored never hears of it, and its successor finds what there is`, async () => {
      const { world, server, start } = await inhabit({ plan: planExactly({ steps: { 1: { do: 'kill', when } } }) })
      const old = start('operator')
      const creating = old.configMaps.create(thing('one'))
      await world.clock.advance(3_600_000)
      expect([await stateOf(world, creating), old.process.state()]).toEqual(['open', 'dead'])
      const found = await start('operator').configMaps.find(key)
      expect(found !== undefined).toBe(when === 'after')
      expect(server.find(configMapResource, key) !== undefined).toBe(when === 'after')
    })
  }

  test('has no timers, breaths or calls any more', async () => {
    const { world, start, server } = await inhabit()
    const { process, configMaps } = start('operator')
    const log: string[] = []
    const work = async () => {
      await sleep(process.clock, 10)
      log.push('woke')
      await configMaps.create(thing('one'))
    }
    const working = work()
    const breathing = process.clock.breathe()
    process.kill()
    await world.clock.advance(1000)
    expect([log, await stateOf(world, working), await stateOf(world, breathing)]).toEqual([[], 'open', 'open'])
    expect(await stateOf(world, configMaps.create(thing('one')))).toBe('open')
    expect(server.all(configMapResource)).toEqual([])
  })

  test('gets nothing from its watches', async () => {
    const { world, start } = await inhabit()
    const { process, configMaps } = start('operator')
    const seen: string[] = []
    const watching = (async () => {
      for await (const change of configMaps.watch({ namespace: 'default' })) seen.push(change.type)
    })()
    await start('user').configMaps.create(thing('one'))
    await world.clock.settle()
    process.kill()
    await start('user-2').configMaps.create(thing('two'))
    await world.clock.settle()
    expect([seen, await stateOf(world, watching)]).toEqual([['ADDED'], 'open'])
  })

  test('can only be followed by another of its name when it is dead', async () => {
    const { start } = await inhabit()
    const { process } = start('operator')
    expect(() => start('operator')).toThrow('it lives already')
    process.kill()
    expect(start('operator').process.state()).toBe('running')
  })
})

describe('a process that is frozen', () => {
  test('gets its answer late, while time goes on and others act', async () => {
    const { world, start } = await inhabit()
    const { process, configMaps } = start('old-leader')
    process.freeze()
    const creating = configMaps.create(thing('one'))
    await world.clock.advance(60_000)
    expect(await stateOf(world, creating)).toBe('open')
    expect(await start('new-leader').configMaps.find(key)).toBeDefined()
    process.thaw()
    expect(await stateOf(world, creating)).toBe('kept')
  })

  test('finds all its timers due when it is thawed, but not the cancelled ones', async () => {
    const { world, start } = await inhabit()
    const { process } = start('sleeper')
    const rings: string[] = []
    process.clock.schedule(10, () => rings.push('first'))
    const cancel = process.clock.schedule(20, () => rings.push('cancelled'))
    process.clock.schedule(30, () => rings.push('third'))
    process.freeze()
    await world.clock.advance(100)
    cancel()
    expect(rings).toEqual([])
    process.thaw()
    await world.clock.settle()
    expect(rings).toEqual(['first', 'third'])
    expect(process.clock.monotonic()).toBe(100)
  })

  test('does what follows from one late timer before it gets the next', async () => {
    const { world, start } = await inhabit()
    const { process } = start('sleeper')
    const log: string[] = []
    const wake = async (name: string, afterMs: number) => {
      await sleep(process.clock, afterMs)
      log.push(`${name} woke`)
      await Promise.resolve()
      await Promise.resolve()
      log.push(`${name} acted`)
    }
    const woken = [wake('one', 10), wake('two', 20), wake('three', 30)]
    process.freeze()
    await world.clock.advance(100)
    process.thaw()
    await world.clock.settle()
    await Promise.all(woken)
    expect(log).toEqual(['one', 'two', 'three'].flatMap((name) => [`${name} woke`, `${name} acted`]))
  })

  test('gets something new only after all that is late', async () => {
    const clock = createVirtualClock()
    const process = createProcess({ name: 'sleeper', clock, random: createRandomSource(1), changed: () => {} })
    const log: string[] = []
    process.freeze()
    for (const name of ['late', 'late too']) process.enter(() => log.push(name))
    process.thaw()
    process.enter(() => log.push('new'))
    await clock.settle()
    process.enter(() => log.push('at once'))
    expect(log).toEqual(['late', 'late too', 'new', 'at once'])
  })

  test('that is frozen or killed while it catches up gets the rest later, or never', async () => {
    const { world, start } = await inhabit()
    const { process } = start('sleeper')
    const rings: string[] = []
    for (const name of ['first', 'second', 'third']) process.clock.schedule(10, () => rings.push(name))
    process.freeze()
    await world.clock.advance(100)
    process.thaw()
    process.freeze()
    await world.clock.settle()
    expect(rings).toEqual(['first'])
    process.thaw()
    await world.clock.settle()
    expect(rings).toEqual(['first', 'second', 'third'])
    process.clock.schedule(10, () => rings.push('never'))
    process.freeze()
    await world.clock.advance(100)
    process.kill()
    process.thaw()
    await world.clock.settle()
    expect(rings).toHaveLength(3)
  })
})
