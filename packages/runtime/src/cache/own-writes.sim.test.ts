import { configMapResource, createClientOn, isFailure, type ConfigMap } from '@slurm-operator/kube'
import { createApiServer, createGate, createWorld, type Plan } from '@slurm-operator/testkit'
import { expect, test } from 'vitest'
import { silentLogger } from '../logging/logger.ts'
import { Loop } from '../loop/loop.ts'
import type { Reconcile } from '../loop/pass.ts'
import { lookAgain } from '../outcome/outcome.ts'
import { forObjects } from '../sources/from-cache.ts'
import { Cache, withoutManagedFields } from './cache.ts'
import { foldingWriter } from './folding-writer.ts'

const SECOND = 1000
const withheld = { '1 s': SECOND, '30 s': 30 * SECOND, '6 min': 360 * SECOND, '1 h': 3600 * SECOND }

/** A loop that wants three children and looks every second, while the watch tells nothing for some time. */
async function live(withheldMs: number) {
  const world = createWorld({ seed: 1 })
  const server = await createApiServer({ clock: world.clock })
  const operator = world.start('operator')
  const [clock, random] = [operator.clock, operator.random.next]
  const configMaps = createClientOn(world.connect(operator, server.transport), { clock, random }).resource(
    configMapResource,
  )
  const cache = new Cache({ name: 'configmaps', reader: configMaps, keep: withoutManagedFields, clock, random })
  const writer = foldingWriter(configMaps, cache)
  const asked: string[] = []
  let passes = 0
  const reconcile: Reconcile = async ({ namespace, name }) => {
    if (!name.startsWith('parent')) return lookAgain()
    passes++
    for (const child of ['child-0', 'child-1', 'child-2']) {
      if (cache.get({ namespace, name: child }) !== undefined) continue
      asked.push(child)
      const metadata = { ...(namespace !== undefined && { namespace }), name: child }
      await writer.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata } satisfies ConfigMap)
    }
    return lookAgain(1)
  }
  const loop = new Loop({ name: 'children', reconcile, sources: [forObjects(cache)], clock, random, log: silentLogger })
  const stop = new AbortController()
  const life = { stop: stop.signal, abort: stop.signal, ready: () => {} }
  const others = createClientOn(server.transport, { clock: world.clock }).resource(configMapResource)
  await world.clock.drive(
    others.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'parent' } }),
  )
  const ended = Promise.all([cache.run(life), loop.run(life)])
  await world.clock.advanceUntil('the cache', () => cache.hasSynced, 60 * SECOND)
  const gate = createGate()
  const silence: Plan = { step: () => ({ do: 'deliver' }), message: () => ({ do: 'hold', gate }) }
  world.follow(silence)
  await world.clock.advance(withheldMs)
  const during = { asked: [...asked], passes }
  gate.open()
  world.follow({ step: () => ({ do: 'deliver' }), message: () => ({ do: 'deliver' }) })
  await world.clock.advance(400 * SECOND)
  await world.clock.drive(others.delete({ namespace: 'default', name: 'child-1' }))
  await world.clock.advanceUntil('the child to come back', () => asked.length === 4, 120 * SECOND)
  stop.abort()
  await world.clock.drive(ended)
  return { during, asked }
}

for (const [name, ms] of Object.entries(withheld)) {
  test(`a child is created twice, or its parent freezes, because the watch is silent for ${name}`, async () => {
    const { during, asked } = await live(ms)
    expect(during.asked).toEqual(['child-0', 'child-1', 'child-2'])
    expect(during.passes).toBeGreaterThanOrEqual(Math.floor(ms / SECOND) * 0.9) // it goes on looking every second
    expect(asked).toEqual(['child-0', 'child-1', 'child-2', 'child-1'])
  })
}

test('an answer that got lost makes the loop create something else instead', async () => {
  const world = createWorld({ seed: 2 })
  const server = await createApiServer({ clock: world.clock })
  const operator = world.start('operator')
  const transport = world.connect(operator, server.transport)
  const configMaps = createClientOn(transport, { clock: operator.clock, random: operator.random.next }).resource(
    configMapResource,
  )
  world.follow({ step: () => ({ do: 'cut', when: 'after' }), message: () => ({ do: 'deliver' }) })
  const create = () =>
    configMaps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'one' } })
  await expect(world.clock.drive(create())).rejects.toMatchObject({ reason: 'Unreachable', mayHaveHappened: true })
  world.follow({ step: () => ({ do: 'deliver' }), message: () => ({ do: 'deliver' }) })
  const second = await world.clock.drive(create().catch((error: unknown) => error))
  expect(isFailure(second, 'AlreadyExists')).toBe(true)
  expect(server.all(configMapResource).filter(({ metadata }) => metadata.namespace === 'default')).toHaveLength(1)
})
