import { beforeEach, describe, expect, test } from 'vitest'
import { findDifferences } from '../testing/build-in-still-world.ts'
import { hasRecordings, RECORDINGS_WANTED, type Allowed } from '../testing/recorded-cases.ts'
import { accountingRoom } from './room.ts'

const allowed: readonly Allowed[] = [
  { line: /\.(startup|liveness)Probe\..*: nothing -> /, reason: 'a slurmdbd that hangs is started again' },
  { line: /\.optional: nothing -> true/, reason: 'optional is passed on' },
  { cases: ['accounting-metadata'], line: /spec\.template\.metadata/, reason: 'metadata of the template is on pods' },
  { cases: ['accounting-extra-conf'], line: /slurmdbd[.-]conf/, reason: 'options keep their case' },
  { cases: ['accounting-password-missing'], line: /Secret db with the entry password/, reason: 'a condition names it' },
  {
    cases: ['accounting-no-storage'],
    line: /InvalidSpec: spec\.storageConfig is missing/,
    reason: 'a condition says it',
  },
  {
    cases: ['keys-optional'],
    line: /Secret db with the entry p /,
    reason: 'no slurmdbd works without a password',
  },
]

const unbuilt: readonly Allowed[] = [
  {
    cases: ['accounting-password-missing', 'accounting-no-storage', 'keys-optional'],
    line: /StatefulSet .*: recorded, but not built/,
    reason: 'slurmdbd could not start; the condition above says why',
  },
]

const cases = [
  ...['and-controller', 'external', 'extra-conf', 'metadata', 'minimal', 'no-storage', 'password-missing'].map(
    (name) => `accounting-${name}`,
  ),
  'keys-optional',
]

describe('an Accounting is what the reference made', () => {
  beforeEach(({ skip }) => skip(!hasRecordings, RECORDINGS_WANTED))
  test.each(cases)('%s', async (name) => {
    expect(await findDifferences(accountingRoom, name, [...allowed, ...unbuilt])).toEqual([])
  })
})
