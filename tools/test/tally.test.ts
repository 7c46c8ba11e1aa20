import { describe, expect, test } from 'vitest'
import { describeLevel, describeTotal, type Report, sum, type Tally, tallyOf } from './tally.ts'

type FileResult = Report['testResults'][number]
type TestResult = FileResult['assertionResults'][number]

const one = (status: string, skipReason?: string): TestResult => ({
  fullName: ' scale-in waits',
  status,
  meta: skipReason === undefined ? {} : { skipReason },
})
const file = (status: string, ...assertionResults: TestResult[]): FileResult => ({
  ...{ name: 'a.test.ts', message: 'Cannot find module\nstack', status, assertionResults },
})
const tally = (exitCode: number, files?: FileResult[], filteredByName = false): Tally =>
  tallyOf({ report: files && { testResults: files }, exitCode, filteredByName })
const numbers = ({ passed, failed, skipped }: Tally): number[] => [passed, failed.length, skipped.length]

describe('counting', () => {
  test('counts tests of all files by their outcome', () => {
    const files = [file('passed', one('passed'), one('passed')), file('failed', one('failed'), one('passed'))]
    expect(numbers(tally(1, files))).toEqual([3, 1, 0])
  })

  test('a file that cannot be imported has failed, though no test of it has', () => {
    expect(numbers(tally(1, [file('failed'), file('passed', one('passed'))]))).toEqual([1, 1, 0])
    expect(numbers(tally(1, [file('failed'), file('failed', one('failed'))]))).toEqual([0, 2, 0])
  })

  test('a set-up that fails is a failure beside the tests it kept from running', () => {
    expect(numbers(tally(1, [file('failed', one('pending', 'no cluster'))]))).toEqual([0, 1, 1])
  })

  test('a run that ends badly after good tests has failed', () => {
    expect(numbers(tally(1, [file('passed', one('passed'))]))).toEqual([1, 1, 0])
  })

  test('a run that leaves no report has failed, whatever its exit code', () => {
    expect(numbers(tally(0))).toEqual([0, 1, 0])
    expect(numbers(tally(137))).toEqual([0, 1, 0])
  })
})

describe('failed tests', () => {
  test('are named with the first line of what went wrong, so that the end of a long log is enough', () => {
    const failed = { ...one('failed'), failureMessages: ['Error: expected 1\n  at here', 'another'] }
    expect(tally(1, [file('failed', failed), file('failed')]).failed).toEqual([
      { test: 'scale-in waits', because: 'Error: expected 1' },
      { test: 'a.test.ts', because: 'Cannot find module' },
    ])
  })
})

describe('skipped tests', () => {
  test('are listed with name and reason', () => {
    const { skipped } = tally(0, [file('passed', one('pending', 'needs root'))])
    expect(skipped).toEqual([{ test: 'scale-in waits', because: 'needs root' }])
  })

  test('are listed even if nobody gave a reason', () => {
    expect(tally(0, [file('passed', one('skipped'), one('todo'))]).skipped.map(({ because }) => because)).toEqual([
      'no reason given',
      'no reason given',
    ])
  })

  test('are not those that a filter by name left out', () => {
    const files = [file('passed', one('passed'), one('skipped'), one('pending', 'needs root'))]
    expect(numbers(tally(0, files, true))).toEqual([1, 0, 1])
  })
})

describe('closing lines', () => {
  const skipped = [{ test: 'a', because: 'b' }]
  const failed = [{ test: 'c', because: 'd' }]

  test('a level tells all three numbers', () => {
    expect(describeLevel({ passed: 120, failed: [], skipped: [] })).toBe('120 passed, 0 failed, 0 skipped')
  })

  test('the total tells skips only if there are any', () => {
    expect(describeTotal({ passed: 3, failed, skipped: [] })).toBe('3 passed, 1 failed')
    expect(describeTotal({ passed: 3, failed, skipped })).toBe('3 passed, 1 failed, 1 skipped')
  })

  test('the total is the sum of the levels', () => {
    expect(
      numbers(
        sum([
          { passed: 1, failed, skipped },
          { passed: 3, failed: [...failed, ...failed], skipped },
        ]),
      ),
    ).toEqual([4, 3, 2])
    expect(numbers(sum([]))).toEqual([0, 0, 0])
  })
})
