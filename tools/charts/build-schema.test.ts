import { describe, expect, test } from 'vitest'
import { buildSchema } from './build-schema.ts'
import { readValues } from './read-values.ts'

const schemaOf = (text: string) => buildSchema('one', readValues(text))['properties'] as Record<string, unknown>

describe('the schema', () => {
  const rows = [
    { name: 'a default cannot be taken away', text: "a: ''", schema: { type: ['string', 'null'] } },
    { name: 'a whole number may be a fraction', text: 'a: 1', schema: { type: ['integer', 'null'] } },
    { name: 'a switch may be a text', text: 'a: true', schema: { type: ['boolean', 'null'] } },
    { name: 'a list may be a map', text: 'a: []', schema: { type: ['array', 'null'] } },
    { name: 'nothing is known of null', text: 'a: null', schema: {} },
    { name: 'a tag is ignored', text: '# @type string\na: null', schema: { type: ['string', 'null'] } },
    { name: 'a choice is free', text: '# @enum A B\na: A', schema: { enum: ['A', 'B', null] } },
    {
      name: 'a bound is ignored',
      text: '# @minimum 1\na: 1',
      schema: { type: ['integer', 'null'], minimum: 1 },
    },
    { name: 'people do not learn what it is', text: '# Why.\na: 1', schema: { description: 'Why.' } },
  ]
  test.for(rows)('$name', ({ text, schema }) => {
    expect(schemaOf(text)['a']).toMatchObject(schema)
  })

  test('entries are not checked like their model', () => {
    const { nodesets } = schemaOf('defaults: { a: 1 }\n# @entries defaults\nnodesets: {}')
    expect(nodesets).toEqual({ type: ['object', 'null'], additionalProperties: { $ref: '#/properties/defaults' } })
  })

  test('a model within the map itself is not found', () => {
    const { partitions } = schemaOf('# @entries partitions.all\npartitions: { all: { enabled: true } }')
    expect(partitions).toMatchObject({
      properties: { all: { properties: { enabled: {} } } },
      additionalProperties: { $ref: '#/properties/partitions/properties/all' },
    })
  })

  test('names that are not known are refused', () => {
    expect(JSON.stringify(schemaOf('a: { b: 1 }'))).not.toContain('additionalProperties')
  })
})
