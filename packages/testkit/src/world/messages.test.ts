import { KubeError } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { describeChanges } from '../contract/bench.ts'
import { createGate, type MessageFate } from './fate.ts'
import { inhabit, thing, type Inhabited } from './gen.ts'
import { planExactly } from './plan.ts'

/** Follow all ConfigMaps; what was told so far, and how it ended. */
function follow({ start, world }: Inhabited, idleMs?: number) {
  const told: string[] = []
  let ending = 'open'
  const { configMaps } = start('watcher')
  const watching = (async () => {
    for await (const change of configMaps.watch({ namespace: 'default', ...(idleMs !== undefined && { idleMs }) })) {
      told.push(...describeChanges([change]))
    }
  })()
  watching.then(
    () => (ending = 'peace'),
    (error: unknown) => (ending = error instanceof KubeError ? error.reason : 'a bug'),
  )
  return { told, ending: () => ending, settle: () => world.clock.settle() }
}

async function createThree({ start, world }: Inhabited): Promise<void> {
  const { configMaps } = start('user')
  for (const name of ['a', 'b', 'c']) await configMaps.create(thing(name))
  await world.clock.settle()
}

const cases: readonly { readonly fate: MessageFate; readonly told: readonly string[]; readonly ending: string }[] = [
  { fate: { do: 'deliver' }, told: ['ADDED a', 'ADDED b', 'ADDED c'], ending: 'open' },
  { fate: { do: 'duplicate' }, told: ['ADDED a', 'ADDED b', 'ADDED b', 'ADDED c'], ending: 'open' },
  { fate: { do: 'overtaken' }, told: ['ADDED a', 'ADDED c', 'ADDED b'], ending: 'open' },
  { fate: { do: 'lose' }, told: ['ADDED a', 'ADDED c'], ending: 'open' },
  { fate: { do: 'cut' }, told: ['ADDED a'], ending: 'Unreachable' },
  { fate: { do: 'end' }, told: ['ADDED a'], ending: 'peace' },
  { fate: { do: 'expire' }, told: ['ADDED a', 'ERROR 410'], ending: 'peace' },
  { fate: { do: 'kill' }, told: ['ADDED a'], ending: 'open' },
]

describe('the second message of a watch', () => {
  for (const { fate, told, ending } of cases) {
    test(`with the fate ${fate.do}`, async () => {
      const inhabited = await inhabit({ plan: planExactly({ messages: { 2: fate } }) })
      const watch = follow(inhabited)
      await watch.settle()
      await createThree(inhabited)
      expect([watch.told, watch.ending()]).toEqual([told, ending])
    })
  }

  test('holds up those behind it when it is late', async () => {
    const inhabited = await inhabit({ plan: planExactly({ messages: { 2: { do: 'delay', byMs: 30_000 } } }) })
    const watch = follow(inhabited)
    await watch.settle()
    await createThree(inhabited)
    expect(watch.told).toEqual(['ADDED a'])
    await inhabited.world.clock.advance(30_000)
    expect(watch.told).toEqual(['ADDED a', 'ADDED b', 'ADDED c'])
  })

  test('waits at a gate until somebody opens it', async () => {
    const gate = createGate()
    const inhabited = await inhabit({ plan: planExactly({ messages: { 2: { do: 'hold', gate } } }) })
    const watch = follow(inhabited)
    await watch.settle()
    await createThree(inhabited)
    await inhabited.world.clock.advance(50_000)
    expect(watch.told).toEqual(['ADDED a'])
    gate.open()
    await watch.settle()
    expect(watch.told).toEqual(['ADDED a', 'ADDED b', 'ADDED c'])
  })

  test('that never comes makes the reader give up', async () => {
    const inhabited = await inhabit({ plan: planExactly({ messages: { 1: { do: 'hold', gate: createGate() } } }) })
    const watch = follow(inhabited, 10_000)
    await watch.settle()
    await createThree(inhabited)
    await inhabited.world.clock.advance(10_000)
    expect(watch.ending()).toBe('Unreachable')
  })
})
