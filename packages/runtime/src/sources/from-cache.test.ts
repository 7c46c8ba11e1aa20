import { describe, expect, test } from 'vitest'
import type { CacheListener } from '../cache/cache.ts'
import type { CacheChange, Cached } from '../cache/cached.ts'
import { thing } from '../cache/gen.ts'
import { forObjects, ownedBy, watches, type Owned, type SourceCache } from './from-cache.ts'

type Child = Cached & Owned
const child = (name: string, version: number, owner: string | undefined, kind = 'Set'): Child => {
  const reference = { apiVersion: 'example.dev/v1', kind, name: owner ?? '', uid: 'u', controller: true }
  const { metadata } = thing(name, version)
  return { metadata: { ...metadata, ...(owner !== undefined && { ownerReferences: [reference] }) } }
}

function fakeCache<T>(initial: readonly T[] = []) {
  const listeners = new Set<CacheListener<T>>()
  const cache: SourceCache<T> = {
    name: 'things',
    synced: async () => {},
    list: () => initial,
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  return { cache, tell: (change: CacheChange<T>) => listeners.forEach((listener) => listener(change)) }
}

async function started(source: ReturnType<typeof forObjects>) {
  const woken: string[] = []
  const stop = new AbortController()
  await source.start(
    ({ namespace, name }, { priority = 'normal' } = {}) => void woken.push(`${namespace}/${name} ${priority}`),
    stop.signal,
  )
  return { woken, stop }
}

const owner = { group: 'example.dev', kind: 'Set' }

describe('a source', () => {
  test('what was there before the start is never looked at', async () => {
    const { woken } = await started(forObjects(fakeCache([thing('one', 1)]).cache))
    expect(woken).toEqual(['a/one low'])
  })

  test('a change waits behind the first list', async () => {
    const { cache, tell } = fakeCache<Cached>()
    const { woken } = await started(forObjects(cache))
    tell({ kind: 'updated', object: thing('one', 2), old: thing('one', 1) })
    tell({ kind: 'added', object: thing('two', 3), isInitial: true })
    tell({ kind: 'deleted', object: thing('one', 2) })
    expect(woken).toEqual(['a/one normal', 'a/one normal', 'a/two low', 'a/one normal'])
  })

  test('an owner does not hear that it has lost a child to another', async () => {
    const { cache, tell } = fakeCache<Child>()
    const { woken } = await started(ownedBy(cache, owner))
    tell({ kind: 'updated', object: child('pod', 2, 'new'), old: child('pod', 1, 'old') })
    expect(woken).toEqual(['a/new normal', 'a/old normal'])
  })

  test('the child of another kind of the same name wakes us', async () => {
    const { cache, tell } = fakeCache<Child>()
    const { woken } = await started(ownedBy(cache, owner))
    tell({ kind: 'added', object: child('pod', 1, 'same', 'Other'), isInitial: false })
    tell({ kind: 'added', object: child('orphan', 2, undefined), isInitial: false })
    expect(woken).toEqual([])
  })

  test('changes that do not matter cost a pass', async () => {
    const { cache, tell } = fakeCache<Cached>()
    const { woken } = await started(watches(cache, () => [{ name: 'all' }], { when: ({ kind }) => kind !== 'updated' }))
    tell({ kind: 'updated', object: thing('one', 2), old: thing('one', 1) })
    expect(woken).toEqual([])
  })

  test('a stopped loop is still woken', async () => {
    const { cache, tell } = fakeCache<Cached>()
    const { woken, stop } = await started(forObjects(cache))
    stop.abort()
    tell({ kind: 'deleted', object: thing('one', 2) })
    expect(woken).toEqual([])
  })
})
