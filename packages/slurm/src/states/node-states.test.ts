import { describe, expect, test } from 'vitest'
import { absent, seen, unknown, type Answer } from '../knowledge.ts'
import { aNode, recorded } from '../model/gen.ts'
import { mappings } from '../model/mappings.ts'
import type { NodeStateWord } from './node-state-words.ts'
import {
  findBaseState,
  isBusy,
  isDefunctCandidate,
  isDown,
  isDrain,
  isDrained,
  isDraining,
  isVacant,
  isIdle,
  isInMotion,
  isUnresponsive,
} from './node-states.ts'

const nodeWith = (states: readonly NodeStateWord[], reason = '') => seen(aNode({ states, reason }), 1)

describe('may this node go? A wrong yes ends jobs', () => {
  const table: readonly [states: NodeStateWord[], drained: Answer, because: string][] = [
    [['IDLE', 'DRAIN'], 'yes', 'asked, and nothing runs'],
    [['DOWN', 'DRAIN'], 'yes', 'a node that is down runs nothing'],
    [['IDLE', 'DRAIN', 'DYNAMIC_NORM', 'RESERVED', 'MAINTENANCE'], 'yes', 'other flags do not matter'],
    [['IDLE', 'DRAIN', 'NOT_RESPONDING'], 'yes', 'as Slurm sees it after the last job'],
    [['IDLE', 'DRAIN', 'SOME_DAY'], 'yes', 'a flag to come does not stop everything'],
    [['IDLE'], 'no', 'a job may start any moment'],
    [['DOWN'], 'no', 'it may return and take jobs'],
    [['MIXED'], 'no', 'jobs run'],
    [['ALLOCATED', 'DRAIN'], 'no', 'jobs run'],
    [['MIXED', 'DRAIN'], 'no', 'jobs run'],
    [['IDLE', 'DRAIN', 'COMPLETING'], 'no', 'the last job is still cleaned up'],
    [['DOWN', 'DRAIN', 'COMPLETING'], 'no', 'the last job is still cleaned up'],
    [['IDLE', 'DRAIN', 'UNDRAIN'], 'no', 'the drain is being taken back'],
    [['IDLE', 'MIXED', 'DRAIN'], 'no', 'of two base states the busy one counts'],
    [['UNKNOWN', 'DRAIN'], 'unknown', 'slurmctld has not heard from it yet'],
    [['ERROR', 'DRAIN'], 'unknown', 'jobs may be stuck on it'],
    [['DRAIN'], 'unknown', 'without a base state nobody knows'],
    [['SOME_DAY', 'DRAIN'], 'unknown', 'a base state of a release to come'],
    [['INVALID', 'DRAIN'], 'unknown', 'slurmrestd could not name it'],
    [['SOME_DAY'], 'no', 'nobody asked it to drain'],
    [[], 'no', 'nobody asked it to drain'],
  ]
  for (const [states, drained, because] of table) {
    test(`{${states.join(',')}} is ${drained === 'yes' ? '' : `${drained}, not `}drained: ${because}`, () => {
      expect(isDrained(nodeWith(states))).toBe(drained)
    })
  }

  test('a node that is not listed, or that we cannot ask about, is not drained', () => {
    const drained = aNode({ states: ['IDLE', 'DRAIN'] })
    expect(isDrained(absent(1))).toBe('unknown')
    expect(isDrained(unknown('unreachable', drained))).toBe('unknown')
    expect(isDrained(unknown('no-client'))).toBe('unknown')
  })
})

describe('the other words', () => {
  test('draining is asked and busy', () => {
    expect(isDraining(nodeWith(['ALLOCATED', 'DRAIN']))).toBe('yes')
    expect(isDraining(nodeWith(['IDLE', 'DRAIN', 'COMPLETING']))).toBe('yes')
    expect(isDraining(nodeWith(['IDLE', 'DRAIN']))).toBe('no')
    expect(isDraining(nodeWith(['ALLOCATED', 'DRAIN', 'UNDRAIN']))).toBe('no')
  })

  test('vacant is drained or down, and without work', () => {
    expect(isVacant(nodeWith(['IDLE', 'DRAIN']))).toBe('yes')
    expect(isVacant(nodeWith(['DOWN']))).toBe('yes')
    expect(isVacant(nodeWith(['IDLE']))).toBe('no')
    expect(isVacant(nodeWith(['DOWN', 'COMPLETING']))).toBe('no')
    expect(isVacant(nodeWith(['MIXED', 'DRAIN']))).toBe('no')
    expect(isVacant(nodeWith(['ERROR', 'DRAIN']))).toBe('unknown')
    expect(isVacant(unknown('no-client'))).toBe('unknown')
  })

  test('idle is the base state alone, whatever the flags', () => {
    expect(isIdle(nodeWith(['IDLE', 'DRAIN', 'COMPLETING']))).toBe('yes')
    expect(isIdle(nodeWith(['MIXED']))).toBe('no')
    expect(isIdle(nodeWith(['SOME_DAY']))).toBe('unknown')
  })

  test('unresponsive needs the verdict of slurmctld: a flag for a second after a resume is not enough', () => {
    expect(isUnresponsive(nodeWith(['DOWN', 'NOT_RESPONDING'], 'Not responding'))).toBe('yes')
    expect(isUnresponsive(nodeWith(['IDLE', 'NOT_RESPONDING'], 'Not responding'))).toBe('no')
    expect(isUnresponsive(nodeWith(['DOWN', 'NOT_RESPONDING'], 'bad fan'))).toBe('no')
  })

  test('a record can be a leftover only when it is down and silent', () => {
    expect(isDefunctCandidate(nodeWith(['DOWN', 'NOT_RESPONDING']))).toBe('yes')
    expect(isDefunctCandidate(nodeWith(['IDLE', 'NOT_RESPONDING']))).toBe('no')
    expect(isDefunctCandidate(nodeWith(['DOWN']))).toBe('no')
  })

  test('of several base states the first in the written order counts', () => {
    expect(findBaseState(['UNKNOWN', 'IDLE', 'ALLOCATED'])).toBe('ALLOCATED')
    expect(findBaseState(['MIXED', 'DOWN'])).toBe('DOWN')
    expect(findBaseState(['DRAIN'])).toBeUndefined()
  })

  test('a node in motion is looked at again soon, one at rest is not', () => {
    expect(isInMotion(nodeWith(['ALLOCATED', 'DRAIN']))).toBe('yes')
    expect(isInMotion(nodeWith(['IDLE', 'POWERING_UP']))).toBe('yes')
    expect(isInMotion(nodeWith(['ALLOCATED']))).toBe('no')
    expect(isInMotion(nodeWith(['IDLE', 'DRAIN']))).toBe('no')
  })
})

describe('real Slurm, recorded', () => {
  const table: readonly [recording: string, busy: Answer, drain: Answer, drained: Answer, down: Answer][] = [
    ['node-idle', 'no', 'no', 'no', 'no'],
    ['node-allocated', 'yes', 'no', 'no', 'no'],
    ['node-mixed', 'yes', 'no', 'no', 'no'],
    ['node-allocated-drain', 'yes', 'yes', 'no', 'no'],
    ['node-mixed-drain', 'yes', 'yes', 'no', 'no'],
    ['node-idle-drain', 'no', 'yes', 'yes', 'no'],
    ['node-idle-drain-completing', 'yes', 'yes', 'no', 'no'],
    ['node-down-by-admin', 'no', 'no', 'no', 'yes'],
    ['node-down-notresponding', 'no', 'no', 'no', 'yes'],
    ['node-idle-maintenance', 'no', 'no', 'no', 'no'],
    ['node-idle-notresponding-after-resume', 'no', 'no', 'no', 'no'],
    ['node-cloud-powered-down', 'no', 'no', 'no', 'no'],
    ['node-invalid-reg', 'no', 'no', 'no', 'yes'],
  ]
  for (const [recording, busy, drain, drained, down] of table) {
    test(recording, () => {
      const [node] = mappings['v0.0.45'].nodes(recorded(recording).response.body).records
      const about = node === undefined ? absent(0) : seen(node, 1)
      expect([isBusy(about), isDrain(about), isDrained(about), isDown(about)]).toEqual([busy, drain, drained, down])
    })
  }
})
