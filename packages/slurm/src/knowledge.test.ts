import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { absent, ask, consider, every, lastSeen, not, seen, some, unknown, type Answer } from './knowledge.ts'
import { anyKnowledgeOf } from './model/gen.ts'

const anyAnswer = fc.constantFrom<Answer>('yes', 'no', 'unknown')
const anyAnswers = fc.array(anyAnswer, { maxLength: 4 })

describe('silence is never taken for an answer', () => {
  test('a question about something we could not look at stays open, whatever we saw before', () => {
    expect(ask(unknown('unreachable', true), (value) => value)).toBe('unknown')
    expect(ask(unknown('no-client'), () => true)).toBe('unknown')
  })

  test('a question about something that is not there stays open: absence is no drained node', () => {
    expect(ask(absent(7), () => true)).toBe('unknown')
    expect(consider(absent(7), () => 'yes')).toBe('unknown')
  })

  test('only a sighting is ever shown to the question', () => {
    fc.assert(
      fc.property(anyKnowledgeOf(fc.integer()), anyAnswer, (about, answer) => {
        const shown: number[] = []
        const given = consider(about, (value) => {
          shown.push(value)
          return answer
        })
        expect(given).toBe(about.kind === 'seen' ? answer : 'unknown')
        expect(shown).toEqual(about.kind === 'seen' ? [about.value] : [])
      }),
    )
  })
})

describe('answers are put together without inventing a yes', () => {
  const table: readonly [Answer[], Answer, Answer][] = [
    [[], 'yes', 'no'],
    [['yes', 'yes'], 'yes', 'yes'],
    [['yes', 'unknown'], 'unknown', 'yes'],
    [['no', 'unknown'], 'no', 'unknown'],
    [['yes', 'no', 'unknown'], 'no', 'yes'],
    [['unknown'], 'unknown', 'unknown'],
  ]
  for (const [answers, all, one] of table) {
    test(`every and some of [${answers.join(', ')}]`, () => {
      expect(every(...answers)).toBe(all)
      expect(some(...answers)).toBe(one)
    })
  }

  test('every is yes only if all are, some is no only if all are', () => {
    fc.assert(
      fc.property(anyAnswers, (answers) => {
        expect(every(...answers) === 'yes').toBe(answers.every((answer) => answer === 'yes'))
        expect(some(...answers) === 'no').toBe(answers.every((answer) => answer === 'no'))
      }),
    )
  })

  test('the opposite of the opposite is the same', () => {
    for (const answer of ['yes', 'no', 'unknown'] as const) expect(not(not(answer))).toBe(answer)
    expect(not('unknown')).toBe('unknown')
  })
})

test('what is shown to people is the newest sighting, and none of something that is gone', () => {
  expect(lastSeen(seen('new', 1))).toBe('new')
  expect(lastSeen(unknown('unreachable', 'old'))).toBe('old')
  expect(lastSeen(unknown('unreachable'))).toBeUndefined()
  expect(lastSeen(absent(1))).toBeUndefined()
})
