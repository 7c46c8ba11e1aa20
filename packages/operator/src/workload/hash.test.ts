import { describe, expect, test } from 'vitest'
import { hashOfMap, hashOfValue } from './hash.ts'

describe('hashes equal those on running clusters, or replacing the operator restarts every pod', () => {
  test('a map is its values in the order of its keys', () => {
    expect(hashOfMap({ b: '2', a: Buffer.from('1') })).toBe(hashOfValue('12'))
    expect(hashOfMap({ 'jwt.key': 'not-a-real-jwt-key-0123456789abcdef' })).toBe(
      '54fe01e7f963723110ce9ac1549a88f26d2c5c911e48cd0bf508aa82c6266983',
    )
  })
  test('nothing hashes to the empty text', () => expect([hashOfMap({}), hashOfMap(undefined)]).toEqual(['', '']))
  test('an absent value hashes like an empty one', () => {
    expect(hashOfValue(undefined)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(hashOfValue('')).toBe(hashOfValue(undefined))
  })
})
