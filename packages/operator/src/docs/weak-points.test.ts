import { describe, expect, test } from 'vitest'
import { isInProject, readProjectFile } from './gen.ts'

interface Row {
  readonly id: string
  readonly shownBy: string
}

const rows: readonly Row[] = [
  ...readProjectFile('docs/weak-points.md').matchAll(/^\| ([A-Z]+-\d+) \|.*\| (.*) \|$/gm),
].map(([, id = '', shownBy = '']) => ({ id, shownBy }))

/** The tests that a row names: file and name. */
function namedTests({ shownBy }: Row): [file: string, name: string][] {
  return [...shownBy.matchAll(/`([^`]+)` “([^”]+)”/g)].map(([, file = '', name = '']) => [file, name])
}

/** Tests of numbered cases are named after these, too. */
const CASES = String.raw`(?:NS|WP)-\d+(?:, (?:NS|WP)-\d+)*`

function whyNot([file, name]: [file: string, name: string]): string | undefined {
  const path = file.startsWith('tools/') ? file : `packages/${file}`
  if (!isInProject(path)) return `${file} does not exist`
  const quoted = new RegExp(`(['"\`])(?:${CASES}: )?${RegExp.escape(name)}\\1`)
  const hasName = quoted.test(readProjectFile(path))
  return hasName ? undefined : `${file} has no test “${name}”`
}

describe('docs/weak-points.md', () => {
  test('forgets a weak point, or has one twice', () => {
    const ids = rows.map(({ id }) => id)
    const counted = Object.entries(Object.groupBy(ids, (id) => id.split('-')[0] ?? ''))
    expect(new Set(ids).size).toBe(ids.length)
    expect(Object.fromEntries(counted.map(([part, all]) => [part, all?.length]))).toEqual({
      ...{ API: 22, CP: 37, SL: 20, RT: 23, WP: 61 },
    })
  })

  test('names a test that does not exist', () => {
    expect(rows.flatMap(namedTests).flatMap((one) => whyNot(one) ?? [])).toEqual([])
  })

  test('says nothing about one', () => {
    const silent = rows.filter((row) => namedTests(row).length === 0 && !row.shownBy.startsWith('Not shown: '))
    expect(silent.map(({ id }) => id)).toEqual([])
  })
})
