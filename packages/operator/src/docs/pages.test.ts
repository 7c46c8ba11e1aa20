import { describe, expect, test } from 'vitest'
import { reasons } from '../reasons/reasons.ts'
import { isInProject, listFiles, pages, readLinks, readProjectFile } from './gen.ts'

const kindPages = ['controller', 'accounting', 'restapi', 'loginset', 'token', 'cluster', 'nodeset']

/** The reasons of NodeSets stand where they are decided. */
const nodeSetSources = listFiles('packages/operator/src/nodeset', '.ts')
  .filter((file) => !file.endsWith('.test.ts'))
  .map(readProjectFile)
  .join()

/** The words in the first column of the tables about what is not Ready. */
function namedReasons(page: string): string[] {
  const [, tables = ''] = readProjectFile(page).split('## When it is not Ready')
  const cells = [...tables.matchAll(/^\| ([^|]*) \|/gm)].map(([, cell = '']) => cell)
  return cells.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Za-z]+)`/g)].map(([, word = '']) => word))
}

describe('the docs', () => {
  test.each(pages)('%s leads nowhere', (page) => {
    expect(readLinks(page).filter((target) => !isInProject(decodeURI(target)))).toEqual([])
  })

  test.each(kindPages)('the page about a %s is missing, or shows no example', (kind) => {
    expect(readLinks(`docs/${kind}.md`)).toContain(`examples/kinds/${kind}.yaml`)
  })

  test.each(kindPages)('the page about a %s explains a reason that nobody gives', (kind) => {
    const named = namedReasons(`docs/${kind}.md`)
    expect(named.length).toBeGreaterThan(2)
    expect(named.filter((word) => !(word in reasons) && !nodeSetSources.includes(`'${word}'`))).toEqual([])
  })
})
