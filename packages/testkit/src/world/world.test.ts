import { configMapResource } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { inhabit, thing } from './gen.ts'
import { commonFates, planTrouble, planUntil, peace } from './plan.ts'

describe('a world that can be stopped', () => {
  test('lets one call go after the other', async () => {
    const { world, server, start } = await inhabit()
    const { configMaps } = start('p')
    world.stop()
    const creating = Promise.all(['a', 'b', 'c'].map((name) => configMaps.create(thing(name))))
    await world.clock.settle()
    expect(world.waiting().map(({ number, method }) => `${number} ${method}`)).toEqual(['1 POST', '2 POST', '3 POST'])
    expect(server.all(configMapResource)).toEqual([])
    await world.letOneGo()
    expect(server.all(configMapResource).map(({ metadata }) => metadata.name)).toEqual(['a'])
    world.resume()
    await creating
    expect([server.all(configMapResource).length, await world.letOneGo()]).toEqual([3, undefined])
  })

  test('may choose another order, the same for the same seed', async () => {
    const orderFor = async (seed: number) => {
      const { world, start } = await inhabit({ seed, order: 'chance' })
      const { configMaps } = start('p')
      world.stop()
      const creating = Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => configMaps.create(thing(name))))
      const order: number[] = []
      for (let step = await world.letOneGo(); step !== undefined; step = await world.letOneGo()) order.push(step.number)
      await creating
      return order.join(' ')
    }
    const orders = await Promise.all([1, 2, 3, 4].map(orderFor))
    expect(new Set(orders).size).toBeGreaterThan(1)
    expect(await orderFor(3)).toBe(orders[2])
  })

  test('refuses processes of other worlds', async () => {
    const [one, other] = [await inhabit(), await inhabit()]
    expect(() => other.world.connect(one.start('p').process, other.server.transport)).toThrow(
      'not, or no longer, a process of this world',
    )
  })
})

describe('trouble', () => {
  const steps = Array.from(
    { length: 1000 },
    (_, number) =>
      ({ number, process: 'p', target: 'k', method: 'POST', path: '/', body: undefined, use: 'call' }) as const,
  )

  test('keeps to its quota', async () => {
    const { world } = await inhabit()
    const plan = planTrouble(world.random, { chance: 0.5, quota: 7 })
    expect(steps.filter((step) => plan.step(step).do !== 'deliver').length).toBe(7)
  })

  test('is everything that it may be, sooner or later', async () => {
    const { world } = await inhabit()
    const plan = planTrouble(world.random, { chance: 1, quota: Infinity })
    expect(new Set(steps.map((step) => plan.step(step)))).toEqual(new Set(commonFates))
  })

  test('ends when it is told to', async () => {
    let isStill = true
    const { world } = await inhabit()
    const plan = planUntil(() => isStill, planTrouble(world.random, { chance: 1, quota: Infinity }), peace)
    const [step] = steps
    expect(step && plan.step(step).do).not.toBe('deliver')
    isStill = false
    expect(step && plan.step(step)).toEqual({ do: 'deliver' })
  })

  test('never answers a reader with a conflict', async () => {
    const { world } = await inhabit()
    const plan = planTrouble(world.random, {
      chance: 1,
      quota: Infinity,
      fates: [{ do: 'answer', status: 409, when: 'after' }],
    })
    const [step] = steps
    expect(step && [plan.step(step).do, plan.step({ ...step, method: 'GET' }).do]).toEqual(['answer', 'deliver'])
  })
})
