import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seen, type Answer, type Knowledge } from '../knowledge.ts'
import { anyKnownNode, anyNodeStates, aNode } from '../model/gen.ts'
import type { SlurmNode } from '../model/node.ts'
import { isForeignDrain, isReasonOurs, mayUndrain } from './drain-ownership.ts'
import * as words from './node-states.ts'

const { findBaseState, hasState, isBaseState, ...questions } = words
const allQuestions = { ...questions, isForeignDrain, isReasonOurs, mayUndrain }

// Stated in raw facts: using the questions themselves would let a bug in them pass.
const saysReleased = (about: Knowledge<SlurmNode>): boolean => {
  if (about.kind !== 'seen') return false
  const has = (word: string) => about.value.states.includes(word)
  const runsNothing = has('IDLE') || has('DOWN') || has('FUTURE')
  return has('DRAIN') && !has('UNDRAIN') && runsNothing && !has('ALLOCATED') && !has('MIXED') && !has('COMPLETING')
}

const bases = ['ALLOCATED', 'DOWN', 'ERROR', 'FUTURE', 'IDLE', 'MIXED', 'UNKNOWN']
const hasOneBase = (about: Knowledge<SlurmNode>): boolean =>
  about.kind !== 'seen' || about.value.states.filter((word) => bases.includes(word)).length <= 1

describe('whatever Slurm says', () => {
  test('every question has one of three answers, and none without a sighting', () => {
    fc.assert(
      fc.property(anyKnownNode, (about) => {
        for (const [name, question] of Object.entries(allQuestions)) {
          const possible: Answer[] = about.kind === 'seen' ? ['yes', 'no', 'unknown'] : ['unknown']
          expect(possible, name).toContain(question(about))
        }
      }),
    )
  })

  test('only a node that Slurm released by name is drained', () => {
    fc.assert(
      fc.property(anyKnownNode, (about) => {
        const isReleased = saysReleased(about)
        const isDrained = words.isDrained(about) === 'yes'
        // Slurm has one base state; if it ever says two, doubt is right.
        expect(hasOneBase(about) ? isDrained === isReleased : !isDrained || isReleased).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  const consistent: readonly [drain: Answer, drained: Answer, draining: Answer][] = [
    ['yes', 'yes', 'no'],
    ['yes', 'no', 'yes'],
    ['yes', 'unknown', 'unknown'],
    ['no', 'no', 'no'],
    ['unknown', 'unknown', 'unknown'],
  ]

  test('the words fit together: drained and draining exclude each other, both need the drain, neither is left out', () => {
    fc.assert(
      fc.property(anyKnownNode, (about) => {
        const answers = [words.isDrain(about), words.isDrained(about), words.isDraining(about)]
        expect(consistent).toContainEqual(answers)
      }),
      { numRuns: 1000 },
    )
  })

  test('the order of the words does not matter', () => {
    fc.assert(
      fc.property(anyNodeStates, (states) => {
        const at = (order: readonly string[]): Knowledge<SlurmNode> => ({
          kind: 'seen',
          value: aNode({ states: order }),
          atMs: 1,
        })
        for (const [name, question] of Object.entries(allQuestions)) {
          expect(question(at(states)), name).toBe(question(at(states.toReversed())))
        }
      }),
    )
  })

  test('a drain of somebody else is never ours to take back', () => {
    fc.assert(
      fc.property(anyKnownNode, (about) => {
        const reason = about.kind === 'seen' ? about.value.reason : 'unknown'
        const isSigned = reason === '' || reason.startsWith('slurm-operator: ')
        expect(isSigned ? 'no' : mayUndrain(about)).not.toBe('yes')
        expect([mayUndrain(about), isForeignDrain(about)]).not.toEqual(['yes', 'yes'])
      }),
      { numRuns: 1000 },
    )
  })
})

test('exactly one base state is found in a set that has any', () => {
  fc.assert(
    fc.property(anyNodeStates, (states) => {
      const base = findBaseState(states)
      const known = ['ALLOCATED', 'DOWN', 'ERROR', 'FUTURE', 'IDLE', 'MIXED', 'UNKNOWN'].filter((word) =>
        states.includes(word),
      )
      expect(base).toBe(known[0])
      const node = seen(aNode({ states }), 1)
      expect(base && isBaseState(node, base)).toBe(base && 'yes')
      expect(base && hasState(node, base)).toBe(base && 'yes')
    }),
  )
})
