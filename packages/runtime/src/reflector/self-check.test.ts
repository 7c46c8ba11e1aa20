import { describe, expect, test } from 'vitest'
import { createVirtualClock } from '@slurm-operator/testkit'
import type { Cached } from '../cache/cached.ts'
import { thing } from '../cache/gen.ts'
import { keyText } from '../loop/key-text.ts'
import { SelfCheck, type CheckedCache } from './self-check.ts'

/** A cache and a server that need not agree. */
function world(cached: readonly Cached[], stored: readonly Cached[]) {
  const clock = createVirtualClock()
  const state = { cached: new Map(cached.map(entry)), stored: new Map(stored.map(entry)), repairs: 0 }
  const cache: CheckedCache = {
    ...{ name: 'things', hasSynced: true },
    get: (key) => state.cached.get(keyText(key)),
    list: () => [...state.cached.values()],
    listAgain: () => void state.repairs++,
  }
  const reader = {
    find: async (key: { namespace?: string | undefined; name: string }) => state.stored.get(keyText(key)),
    async visit(_: unknown, visitor: { item: (object: Cached) => void }) {
      state.stored.forEach((object) => visitor.item(object))
      return { resourceVersion: '1' }
    },
  }
  const check = new SelfCheck({ cache, reader, clock, random: () => 0.5 })
  const run = async (meanwhile: () => void = () => {}) => {
    const result = check.check(new AbortController().signal)
    await clock.advance(10_000)
    meanwhile()
    await clock.advance(60_000)
    return (await result).map(({ key }) => key)
  }
  return { state, run }
}

function entry(object: Cached): [string, Cached] {
  return [keyText(object.metadata), object]
}

describe('the self-check', () => {
  test('a cache that is right is listed again', async () => {
    const { state, run } = world([thing('one', 1)], [thing('one', 1)])
    expect([await run(), state.repairs]).toEqual([[], 0])
  })

  test('a lost event is never noticed', async () => {
    const { state, run } = world([thing('stale', 1), thing('ghost', 2)], [thing('stale', 5), thing('unheard', 6)])
    expect([(await run()).toSorted(), state.repairs]).toEqual([['a/ghost', 'a/stale', 'a/unheard'], 1])
  })

  test('an event that is on its way counts as lost', async () => {
    const { state, run } = world([thing('late', 1)], [thing('late', 5)])
    const arrive = () => void state.cached.set('a/late', thing('late', 5))
    expect([await run(arrive), state.repairs]).toEqual([[], 0])
  })

  test('an object that changes all the time counts as lost', async () => {
    const { state, run } = world([thing('busy', 1)], [thing('busy', 5)])
    const change = () => void state.stored.set('a/busy', thing('busy', 9))
    expect([await run(change), state.repairs]).toEqual([[], 0])
  })
})
