import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildReason, cleanReason, MAXIMUM_REASON_LENGTH } from './clean-reason.ts'

describe('a reason that people or nodes wrote', () => {
  const table: readonly [name: string, given: string, wanted: string][] = [
    ['breaks no line of a table', 'fan\tbroken\r\nsince noon', 'fan broken  since noon'],
    ['carries no terminal commands', '\u001b[31mred\u0007 \u009bx\u0000', '[31mred x'],
    ['has no blanks around it', '  disk  ', 'disk'],
    ['may be empty', ' \n\t ', ''],
    ['keeps other alphabets', 'Lüfter 故障', 'Lüfter 故障'],
    ['is text that can be sent, even with half a character in it', 'a\ud800b', 'a\ufffdb'],
  ]
  for (const [name, given, wanted] of table) test(name, () => expect(cleanReason(given)).toBe(wanted))

  test('is cut between two characters and trimmed again', () => {
    expect(cleanReason('😀'.repeat(300))).toBe('😀'.repeat(MAXIMUM_REASON_LENGTH))
    expect(cleanReason(`${'a'.repeat(255)} b`)).toBe('a'.repeat(255))
  })

  test('is one clean line of at most 256 characters, and cleaning it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        const cleaned = cleanReason(text)
        expect(Array.from(cleaned).length).toBeLessThanOrEqual(MAXIMUM_REASON_LENGTH)
        expect(cleaned).not.toMatch(/\p{Cc}/u)
        expect(cleaned.isWellFormed()).toBe(true)
        expect(cleanReason(cleaned)).toBe(cleaned)
      }),
    )
  })
})

test('a signed reason is never the bare signature, which would say nothing', () => {
  expect(buildReason('me: ', ' fan ')).toBe('me: fan')
  expect(buildReason('me: ', '\n')).toBe('me: unknown')
})
