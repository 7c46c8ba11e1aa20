import { describe, expect, test } from 'vitest'
import { absent, seen, unknown, type Answer } from '../knowledge.ts'
import { aNode } from '../model/gen.ts'
import {
  isClosedByOthers,
  isForeignDrain,
  isOurReason,
  isReasonOurs,
  isRefusalOnly,
  isRefusedNoMore,
  mayUndrain,
} from './drain-ownership.ts'

describe('whose drain is it? A wrong answer undoes the work of an administrator', () => {
  const table: readonly [reason: string, ours: boolean][] = [
    ['', true],
    ['slurm-operator: scale in', true],
    ['slurm-operator: ', true],
    ['slurm-operator:x', false],
    ['Slurm-operator: x', false],
    [' slurm-operator: x', false],
    ['bad disk', false],
    ['Not responding', false],
    ['because slurm-operator: said so', false],
  ]
  for (const [reason, ours] of table) {
    test(`"${reason}" is ${ours ? 'ours' : 'not ours'}`, () => {
      const node = seen(aNode({ states: ['IDLE', 'DRAIN'], reason }), 1)
      expect(isOurReason(reason)).toBe(ours)
      expect(isReasonOurs(node)).toBe<Answer>(ours ? 'yes' : 'no')
      expect(mayUndrain(node)).toBe<Answer>(ours ? 'yes' : 'no')
      expect(isForeignDrain(node)).toBe<Answer>(ours ? 'no' : 'yes')
    })
  }

  test.each([
    ['', true],
    ['slurm-operator: x', true],
    ['Low socket*core*thread count, Low CPUs', true],
    ['Low RealMemory (reported:900 < 100.00% of configured:1000)', true],
    ['gres/gpu count reported lower than configured (0 < 2)', true],
    ['broken fan', false],
    ['Low on spare parts', false],
    ['ticket 7: Low RealMemory', false],
    ['Low RealMemory, memory is on order', false],
    ['Not responding', false],
  ])('a record with the reason "%s" refuses its slurmd, and nobody’s wish goes with it: %s', (reason, expected) => {
    expect(isRefusalOnly({ reason })).toBe(expected)
  })

  test.each<[string, readonly string[], string, Answer]>([
    ['a drain of an administrator', ['IDLE', 'DRAIN'], 'broken fan', 'yes'],
    ['a node that an administrator has put DOWN', ['DOWN'], 'broken fan', 'yes'],
    ['a node of which an administrator says that it fails', ['IDLE', 'FAIL'], 'broken fan', 'yes'],
    ['the same, over whose words slurmctld wrote its own', ['DOWN', 'FAIL'], 'Not responding', 'yes'],
    ['a drain of an administrator, of a slurmd that is not heard either', ['DOWN', 'DRAIN'], 'Not responding', 'yes'],
    ['nothing that anybody said: it is silent', ['DOWN', 'NOT_RESPONDING'], 'Not responding', 'no'],
    ['nothing that anybody said: it was refused', ['DOWN'], 'Low RealMemory', 'no'],
    ['nothing that anybody said: our preStop hook did', ['DOWN'], 'slurm-operator: Pod is terminating', 'no'],
    ['nothing that anybody said: it works, and the words are old', ['IDLE'], 'broken fan', 'no'],
  ])('with its record goes %s', (_name, states, reason, expected) => {
    expect(isClosedByOthers(seen(aNode({ states: [...states], reason }), 1))).toBe(expected)
  })

  const words = 'Low RealMemory (reported:900 < 100.00% of configured:1000)'
  test.each<[string, readonly string[], string, Answer]>([
    ['stays DOWN for ever after its size was mended', ['DOWN', 'DYNAMIC_NORM'], words, 'yes'],
    ['is resumed while it is refused', ['DOWN', 'INVALID_REG'], words, 'no'],
    ['is resumed though somebody may have drained it before', ['DOWN', 'DRAIN'], words, 'no'],
    ['is resumed though somebody put it DOWN', ['DOWN'], 'broken fan', 'no'],
    ['is resumed though it works', ['IDLE'], words, 'no'],
  ])('a node that Slurm refused %s', (_name, states, reason, expected) => {
    expect(isRefusedNoMore(seen(aNode({ states: [...states], reason }), 1))).toBe(expected)
  })

  test('there is nothing to take back from a node that is not drained', () => {
    expect(mayUndrain(seen(aNode({ states: ['IDLE'], reason: '' }), 1))).toBe('no')
    expect(mayUndrain(seen(aNode({ states: ['IDLE', 'DRAIN', 'UNDRAIN'], reason: '' }), 1))).toBe('no')
  })

  test('a node that is not there or silent is nobody’s', () => {
    for (const about of [absent(1), unknown('unreachable', aNode({ reason: '' }))]) {
      expect(isReasonOurs(about)).toBe('unknown')
      expect(isClosedByOthers(about)).toBe('unknown')
      expect(mayUndrain(about)).toBe('unknown')
    }
  })

  test('another signature can be ours', () => {
    const node = seen(aNode({ states: ['IDLE', 'DRAIN'], reason: 'backup: night' }), 1)
    expect(mayUndrain(node, 'backup: ')).toBe('yes')
  })
})
