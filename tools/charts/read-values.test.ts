import { describe, expect, test } from 'vitest'
import { everyNode, findNode, readValues } from './read-values.ts'

const text = `# Name of all.
# Two lines.
name: ''

# @enum A B
choice: A
part:
  # First below.
  # @minimum 1
  count: 2
  # @open
  free:
    # Deep.
    key: value
  list: [1, 2]
  # @type string number
  nothing: null
# @entries part
parts: {}
`

describe('values.yaml', () => {
  const nodes = readValues(text)

  test('every value is found, each before what is below it', () => {
    expect(everyNode(nodes).map(({ path }) => path)).toEqual([
      ...['name', 'choice', 'part', 'part.count', 'part.free', 'part.free.key', 'part.list', 'part.nothing', 'parts'],
    ])
  })

  test('the comment before the first key of a map gets lost', () => {
    expect(findNode(nodes, 'name')?.about).toBe('Name of all. Two lines.')
    expect(findNode(nodes, 'part.count')).toMatchObject({ about: 'First below.', tags: { minimum: 1 }, value: 2 })
    expect(findNode(nodes, 'part.free.key')?.about).toBe('Deep.')
  })

  test('tags are not shown to people', () => {
    expect(findNode(nodes, 'choice')).toMatchObject({ about: '', tags: { choices: ['A', 'B'] } })
    expect(findNode(nodes, 'part.free')).toMatchObject({ about: '', tags: { open: true } })
    expect(findNode(nodes, 'part.nothing')).toMatchObject({ value: null, tags: { types: ['string', 'number'] } })
    expect(findNode(nodes, 'parts')).toMatchObject({ value: {}, tags: { entries: 'part' } })
    expect(findNode(nodes, 'part.list')?.value).toEqual([1, 2])
  })

  test('a misspelt tag is taken for nothing', () => {
    expect(() => readValues('# @enums A B\na: A\n')).toThrow('the comment of a: @enums is none of')
  })

  test('a broken file is read in part', () => {
    expect(() => readValues('a: [\n')).toThrow('Cannot read values.yaml')
  })
})
