import { describe, expect, test } from 'vitest'
import { reasons } from '../reasons/reasons.ts'
import { isInProject, listFiles, pages, readLinks, readProjectFile } from './gen.ts'

const kindPages = ['controller', 'accounting', 'restapi', 'loginset', 'token', 'cluster', 'nodeset']

/** The reasons of NodeSets stand where they are decided. */
const nodeSetSources = listFiles('packages/operator/src/nodeset', '.ts')
  .filter((file) => !file.endsWith('.test.ts') && !file.includes('/gen'))
  .map(readProjectFile)
  .join()

/** The reasons of waits: a time to look again is on the same line, or on the next. Who is released waits no more. */
const waitReasons = [
  ...nodeSetSources.matchAll(/reason: '([A-Z]\w+)'.*\n?.*lookAgainInMs/g),
  ...nodeSetSources.matchAll(/held\(\s*'\w+',\s*'(\w+)'/g),
].flatMap(([, word = '']) => (word === 'Released' ? [] : word))

/** The words of Events, where the compiler looks for them. */
const eventReasons = [
  ...(/export type EventReason =(.*?)\n\n/s.exec(nodeSetSources)?.[1] ?? '').matchAll(/'([^']+)'/g),
].flatMap(([, word = '']) => word)

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

  test('a worker waits for something that the table of reasons does not explain', () => {
    expect(waitReasons).toEqual(expect.arrayContaining(['Reserved', 'NameTaken', 'KubeNodeNotReady', 'JobsRunning']))
    expect(waitReasons.filter((word) => !(word in reasons))).toEqual([])
  })

  test('a NodeSet shows a reason, or an Event, that its page does not explain', () => {
    const bad = Object.entries(reasons).flatMap(([word, { kind }]) => (kind === 'ready' ? [] : word))
    const shown = [...bad.filter((word) => nodeSetSources.includes(`'${word}'`)), ...eventReasons]
    expect(shown).toEqual(expect.arrayContaining(['Reserved', 'Deleting', 'Scheduled Update']))
    expect(shown.filter((word) => !readProjectFile('docs/nodeset.md').includes(`\`${word}\``))).toEqual([])
  })
})
