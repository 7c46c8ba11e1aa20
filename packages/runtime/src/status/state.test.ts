import { describe, expect, test } from 'vitest'
import { overallStatus, type Condition, type OverallStatus } from '@slurm-operator/kube'
import { buildConditions, type ObjectState } from './state.ts'

const kinds = ['ready', 'working', 'stalled', 'unknown'] as const
const stateOf = (kind: ObjectState['kind']): ObjectState => ({ kind, reason: 'Why', because: 'so it is' })
const linesOf = (kind: ObjectState['kind'], isFirst = false) =>
  buildConditions(stateOf(kind), { generation: 3, isFirst })

describe('what people and tools read', () => {
  const rows: readonly { kind: ObjectState['kind']; isFirst: boolean; lines: string; word: OverallStatus }[] = [
    { kind: 'ready', isFirst: false, lines: 'Ready=True Reconciling=False Stalled=False', word: 'Current' },
    { kind: 'ready', isFirst: true, lines: 'Ready=True Reconciling=False Stalled=False', word: 'Current' },
    { kind: 'working', isFirst: true, lines: 'Ready=Unknown Reconciling=True Stalled=False', word: 'InProgress' },
    { kind: 'working', isFirst: false, lines: 'Ready=False Reconciling=True Stalled=False', word: 'InProgress' },
    { kind: 'stalled', isFirst: false, lines: 'Ready=False Reconciling=False Stalled=True', word: 'Failed' },
    { kind: 'unknown', isFirst: false, lines: 'Ready=Unknown Reconciling=True Stalled=False', word: 'InProgress' },
  ]
  test.each(rows)('$kind, first time $isFirst: $word', ({ kind, isFirst, lines, word }) => {
    const conditions = linesOf(kind, isFirst)
    expect(conditions.map(({ type, status }) => `${type}=${status}`).join(' ')).toBe(lines)
    const stored = conditions.map((line): Condition => ({ ...line, lastTransitionTime: '' }))
    const object = { metadata: { generation: 3 }, status: { observedGeneration: 3, conditions: stored } }
    expect(overallStatus(object)).toBe(word)
  })
})

test.each(kinds)('the reason stands in Ready and in the line that explains it: %s', (kind) => {
  const told = linesOf(kind).filter(({ type, status }) => type === 'Ready' || status === 'True')
  expect(told.map(({ reason, message }) => `${reason} ${message}`)).toEqual(told.map(() => 'Why so it is'))
})

test('every line says which generation it speaks about', () => {
  expect(linesOf('ready').map(({ observedGeneration }) => observedGeneration)).toEqual([3, 3, 3])
})
