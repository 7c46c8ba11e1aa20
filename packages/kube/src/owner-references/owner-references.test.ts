import { describe, expect, test } from 'vitest'
import {
  addOwnerReference,
  buildControllerReference,
  buildOwnerReference,
  findControllingOwner,
  isControlledBy,
  isOwnedBy,
  removeOwnerReference,
} from './owner-references.ts'

const owner = (name: string, uid = `uid-of-${name}`) => ({ apiVersion: 'v1', kind: 'Thing', metadata: { name, uid } })
const a = buildOwnerReference(owner('a'))
const b = buildControllerReference(owner('b'))
const c = buildOwnerReference(owner('c'))
const owned = { metadata: { ownerReferences: [a, b] } }

describe('who owns an object', () => {
  test('the controlling owner is found among others', () => {
    expect(findControllingOwner(owned)).toBe(b)
    expect(findControllingOwner({ metadata: { ownerReferences: [a] } })).toBeUndefined()
    expect(findControllingOwner({})).toBeUndefined()
  })
  test('an owner made again under the same name is a stranger', () => {
    expect(isControlledBy(owned, owner('b'))).toBe(true)
    expect(isControlledBy(owned, owner('b', 'another'))).toBe(false)
    expect(isOwnedBy(owned, owner('a', 'another'))).toBe(false)
  })
  test('one of several owners owns, but does not decide', () => {
    expect(isOwnedBy(owned, owner('a'))).toBe(true)
    expect(isControlledBy(owned, owner('a'))).toBe(false)
  })
  test('an object that was never stored owns nothing', () => {
    expect(isControlledBy({ metadata: { ownerReferences: [] } }, { kind: 'Thing' })).toBe(false)
    expect(isOwnedBy({}, { kind: 'Thing' })).toBe(false)
    expect(() => buildOwnerReference({ kind: 'Thing', metadata: { name: 'a' } })).toThrow(
      'needs apiVersion, kind, name and uid',
    )
  })
})

describe('adding and removing', () => {
  test('the order of the others is kept', () => {
    expect(addOwnerReference([a, b], c)).toEqual([a, b, c])
    expect(removeOwnerReference([a, b, c], b.uid)).toEqual([a, c])
  })
  test('an owner stays where it was when it changes', () => {
    const renamed = { ...a, name: 'z' }
    expect(addOwnerReference([a, b], renamed)).toEqual([renamed, b])
  })
  test('nothing to do returns the same list, so nothing is written', () => {
    const list = [a, b]
    expect(addOwnerReference(list, { ...a, controller: false })).toBe(list)
    expect(removeOwnerReference(list, 'stranger')).toBe(list)
  })
  test('two controlling owners are refused here, not by the server', () => {
    expect(() => addOwnerReference([b], buildControllerReference(owner('c')))).toThrow('Thing b is')
    expect(addOwnerReference([b], { ...b, blockOwnerDeletion: false })).toHaveLength(1)
  })
})
