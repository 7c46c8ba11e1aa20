import { describe, expect, test } from 'vitest'
import { freeze } from './freeze.ts'
import { listOf, thing, words } from './gen.ts'
import { ageOf } from './resource-version.ts'
import { Store } from './store.ts'

const everything = () => true

describe('what the watch tells', () => {
  test('the same state is told twice', () => {
    const store = new Store()
    expect(words(store.heard(thing('one', 1)))).toEqual(['+one@1'])
    expect(store.heard(thing('one', 1))).toEqual([])
    expect(words(store.heard(thing('one', 2)))).toEqual(['~one@2'])
  })

  test('an object goes back to an older state', () => {
    const store = new Store()
    store.heard(thing('one', 10))
    expect(store.heard(thing('one', 9))).toEqual([])
    expect(store.get({ namespace: 'a', name: 'one' })?.metadata.resourceVersion).toBe('10')
  })

  test('an object that was deleted and made again looks like a changed one', () => {
    const store = new Store()
    store.heard(thing('one', 1))
    expect(words(store.heard(thing('one', 3, { uid: 'another' })))).toEqual(['-one@1', '+one@3'])
  })

  test('the late deletion of an earlier object takes the new one with it', () => {
    const store = new Store()
    store.heard(thing('one', 5, { uid: 'new' }))
    expect(store.heardGone(thing('one', 4, { uid: 'old' }))).toEqual([])
    expect(store.size).toBe(1)
  })

  test('the late answer to a write brings an object back that is gone', () => {
    const store = new Store()
    store.heard(thing('one', 1))
    store.heardGone(thing('one', 3))
    expect(store.wrote(thing('one', 2))).toEqual([])
    expect(store.size).toBe(0)
  })

  test('a deletion that was missed is never told', () => {
    const store = new Store()
    store.heard(thing('one', 1))
    store.heard(thing('two', 2))
    expect(words(store.replace(listOf(thing('two', 2), thing('three', 3)), '4', everything, false))).toEqual([
      '+three@3',
      '-one@1',
    ])
  })

  test('the list of one namespace deletes the objects of another', () => {
    const store = new Store()
    store.heard(thing('other', 1, { namespace: 'b' }))
    expect(store.replace(listOf(), '2', ({ metadata }) => metadata.namespace === 'a', true)).toEqual([])
  })
})

describe('what we wrote ourselves', () => {
  test('a loop creates a second time because the watch is late', () => {
    const store = new Store()
    expect(words(store.wrote(thing('one', 5)))).toEqual(['+one@5'])
    expect(store.get({ namespace: 'a', name: 'one' })).toBeDefined()
    expect(store.heard(thing('one', 5))).toEqual([])
  })

  test('a late event undoes our own change', () => {
    const store = new Store()
    store.heard(thing('one', 1))
    store.wrote(thing('one', 9))
    expect(store.heard(thing('one', 4))).toEqual([])
    expect(words(store.heard(thing('one', 12)))).toEqual(['~one@12'])
  })

  test('an object that we deleted comes back to life with a late event', () => {
    const store = new Store()
    store.heard(thing('one', 1))
    expect(words(store.deleted({ namespace: 'a', name: 'one' }, 'uid-of-one'))).toEqual(['-one@1'])
    expect(store.heard(thing('one', 3))).toEqual([])
    expect(store.heardGone(thing('one', 4))).toEqual([])
    expect(words(store.heard(thing('one', 6, { uid: 'new' })))).toEqual(['+one@6'])
  })

  test('a list that began before our write takes away what we wrote', () => {
    const store = new Store()
    store.wrote(thing('mine', 20))
    expect(store.replace(listOf(), '15', everything, false)).toEqual([])
    expect(words(store.replace(listOf(), '25', everything, false))).toEqual(['-mine@20'])
  })

  test('a list that began before our delete brings the object back', () => {
    const store = new Store()
    store.heard(thing('one', 1))
    store.deleted({ namespace: 'a', name: 'one' }, 'uid-of-one')
    expect(store.replace(listOf(thing('one', 1)), '15', everything, false)).toEqual([])
  })

  test('the answer to a write that somebody else has overtaken hides the newer state', () => {
    const store = new Store()
    store.heard(thing('one', 30))
    expect(store.wrote(thing('one', 20))).toEqual([])
  })

  test('a version that cannot be compared is taken for an old one', () => {
    const store = new Store()
    store.heard(thing('one', 1))
    const odd = { metadata: { ...thing('one', 0).metadata, resourceVersion: 'abc' } }
    expect(store.heard(odd)).toHaveLength(1)
  })
})

describe('indexes', () => {
  const indexes = { value: ({ value }: { value?: string }) => (value === undefined ? [] : value.split(',')) }

  test('an object is found under a value that it no longer has', () => {
    const store = new Store<ReturnType<typeof thing>>(indexes)
    store.heard(thing('one', 1, { value: 'x,y' }))
    store.heard(thing('one', 2, { value: 'y,z' }))
    const under = (value: string) => store.by('value', value).map(({ metadata }) => metadata.name)
    expect([under('x'), under('y'), under('z')]).toEqual([[], ['one'], ['one']])
    store.heardGone(thing('one', 3))
    expect([under('y'), under('z')]).toEqual([[], []])
  })

  test('a misspelt index finds nothing instead of failing', () => {
    expect(() => new Store().by('valeu', 'x')).toThrow('no index called valeu')
  })
})

test('versions are compared as texts, so that 9 is newer than 10', () => {
  expect([ageOf('9', '10'), ageOf('10', '9'), ageOf('7', '7'), ageOf('a', '1'), ageOf('0', '1')]).toEqual([
    'older',
    'newer',
    'same',
    'unknown',
    'unknown',
  ])
})

test('a loop changes what all others read', () => {
  const object = freeze({ spec: { list: [{ a: 1 }] } })
  expect(() => ((object.spec.list[0] as { a: number }).a = 2)).toThrow(TypeError)
})
