import { describe, expect, test } from 'vitest'
import { isInProject, pages, readLinks } from './gen.ts'

const kindPages = ['controller', 'accounting', 'restapi', 'loginset', 'token', 'cluster', 'nodeset']

describe('the docs', () => {
  test.each(pages)('%s leads nowhere', (page) => {
    expect(readLinks(page).filter((target) => !isInProject(decodeURI(target)))).toEqual([])
  })

  test.each(kindPages)('the page about a %s is missing, or shows no example', (kind) => {
    expect(readLinks(`docs/${kind}.md`)).toContain(`examples/kinds/${kind}.yaml`)
  })
})
