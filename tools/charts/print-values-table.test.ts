import { describe, expect, test } from 'vitest'
import { printValuesTable, withValuesTable } from './print-values-table.ts'
import { readValues } from './read-values.ts'

const nodes = readValues(`# Why.
name: ''
part:
  # @enum A B
  choice: A
  # Text.
  text: |
    one | two
    three
# About a part.
other:
  deep: null
`)

describe('the table of values', () => {
  test('shows every value that can be set', () => {
    expect(printValuesTable(nodes).split('\n').slice(2)).toEqual([
      '| `name` | `""` | Why. |',
      '| `part.choice` | `A` | `A`, `B` |',
      '| `part.text` | `one \\| two …` | Text. |',
      '| `other` |  | About a part. |',
      '| `other.deep` | `null` |  |',
    ])
  })

  test('eats the text around it, or is there twice', () => {
    const readme = '# Title\n<!-- values: made from values.yaml -->\nold\n<!-- end of values -->\nafter\n'
    const once = withValuesTable(readme, nodes)
    expect(withValuesTable(once, nodes)).toBe(once)
    expect(once).toMatch(/^# Title\n[^]*\nafter\n$/)
    expect(once).not.toContain('old')
  })

  test('is silently left out of a README without a place for it', () => {
    expect(() => withValuesTable('# Title\n', nodes)).toThrow('it needs the lines')
  })
})
