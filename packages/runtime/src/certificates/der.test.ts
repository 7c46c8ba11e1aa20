import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as der from './der.ts'
import { readDer } from './read-der.ts'

const hex = (bytes: Buffer) => bytes.toString('hex')

describe('values of which the standard gives the bytes', () => {
  test('identifiers', () => {
    expect(hex(der.objectIdentifier('1.2.840.10045.4.3.2'))).toBe('06082a8648ce3d040302')
    expect(hex(der.objectIdentifier('2.5.29.17'))).toBe('0603551d11')
  })

  test('whole numbers never turn negative and have no needless zeros', () => {
    expect(hex(der.integer(Buffer.from([0x80])))).toBe('02020080')
    expect(hex(der.integer(Buffer.from([0, 0, 0x7f])))).toBe('02017f')
    expect(hex(der.integer(Buffer.from([0, 0])))).toBe('020100')
  })

  test('times before and after 2050', () => {
    expect(der.time(new Date('2049-12-31T23:59:59.999Z')).toString('latin1')).toBe('\x17\x0d491231235959Z')
    expect(der.time(new Date('2050-01-01T00:00:00Z')).toString('latin1')).toBe('\x18\x0f20500101000000Z')
  })
})

test('what is written is read back, whatever its length', () => {
  const contents = fc.array(fc.uint8Array({ maxLength: 70_000, size: 'max' }), { maxLength: 4 })
  fc.assert(
    fc.property(contents, (list) => {
      const read = readDer(Buffer.concat(list.map(der.octetString)))
      expect(read.length).toBe(list.length)
      for (const [index, content] of list.entries()) expect(read[index]?.content.equals(content)).toBe(true)
    }),
    { numRuns: 30 },
  )
})

test('bytes that end too early are read as if they were whole', () => {
  const whole = der.sequence(der.octetString(Buffer.alloc(300)))
  for (const length of [2, 3, 100, whole.length - 1]) {
    expect(() => readDer(whole.subarray(0, length))).toThrow('ends too early')
  }
})
