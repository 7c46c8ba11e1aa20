import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ApiObject } from '../objects/api-object.ts'
import { Store, type StoredChange } from './store.ts'

type Act =
  | { readonly do: 'put'; readonly name: string; readonly value: number }
  | { readonly do: 'remove'; readonly name: string }

const anyName = fc.constantFrom('a', 'b', 'c', 'd')
const anyActs: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('put' as const), name: anyName, value: fc.nat(9) }),
    fc.record({ do: fc.constant('remove' as const), name: anyName }),
  ),
  { maxLength: 30 },
)

function play(acts: readonly Act[]) {
  const store = new Store({ now: () => 0, forgetAfterMs: Infinity })
  const changes: StoredChange[] = []
  store.listen((change) => changes.push(change))
  const states = new Map([[store.version, store.list('things')]])
  for (const act of acts) {
    if (act.do === 'put') store.put('things', object(act.name, act.value))
    else store.remove('things', `n/${act.name}`)
    states.set(store.version, store.list('things'))
  }
  return { store, changes, states }
}

function object(name: string, value: number): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'Thing',
    metadata: { namespace: 'n', name, uid: name, resourceVersion: '', creationTimestamp: '' },
    value,
  }
}

test('versions only grow, and every change has its own', () => {
  fc.assert(
    fc.property(anyActs, (acts) => {
      const versions = play(acts).changes.map(({ version }) => version)
      expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b))
    }),
  )
})

test('every past state can be read again as it was', () => {
  fc.assert(
    fc.property(anyActs, (acts) => {
      const { store, states } = play(acts)
      for (const [version, state] of states) expect(store.listAt('things', version)).toEqual(state)
    }),
  )
})

test('whoever goes on from any version gets exactly the changes after it', () => {
  fc.assert(
    fc.property(anyActs, (acts) => {
      const { store, changes, states } = play(acts)
      for (const version of states.keys()) {
        expect(store.changesAfter('things', version)).toEqual(changes.filter((change) => change.version > version))
      }
    }),
  )
})

test('a state and the changes after it give the newest state', () => {
  fc.assert(
    fc.property(anyActs, (acts) => {
      const { store, states } = play(acts)
      for (const [version, state] of states) {
        const rebuilt = new Map(state.map((one) => [one.metadata.name, one]))
        for (const { type, object } of store.changesAfter('things', version)) {
          if (type === 'DELETED') rebuilt.delete(object.metadata.name)
          else rebuilt.set(object.metadata.name, object)
        }
        expect([...rebuilt.keys()].sort()).toEqual(store.list('things').map(({ metadata }) => metadata.name))
      }
    }),
  )
})

test('what is compacted is gone, and what somebody keeps is not', () => {
  const { store } = play([1, 2, 3].map((value) => ({ do: 'put', name: 'a', value })))
  const stop = store.keepFrom(() => 2)
  store.compact()
  expect([store.oldestVersion, store.changesAfter('things', 2).length]).toEqual([4, 2])
  stop()
  store.compact()
  expect(store.changesAfter('things', 0)).toEqual([])
})

test('changes are forgotten by age, and only those', () => {
  let nowMs = 0
  const store = new Store({ now: () => nowMs, forgetAfterMs: 1000 })
  store.put('things', object('a', 1))
  nowMs = 900
  store.put('things', object('a', 2))
  expect(store.oldestVersion).toBe(0)
  nowMs = 1500
  expect(store.oldestVersion).toBe(2)
  expect(store.changesAfter('things', 2).map(({ version }) => version)).toEqual([3])
})
