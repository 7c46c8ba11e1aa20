import { expect, test } from 'vitest'
import type { Schema } from '../../generate/openapi.ts'
import { placeAll } from '../../generate/names.ts'
import { printTypes } from '../../generate/print-types.ts'

const to = (name: string): Schema => ({ allOf: [{ $ref: `#/components/schemas/${name}` }] })

const schemas = new Map<string, Schema>([
  ['io.k8s.api.core.v1.Event', { type: 'object', properties: { series: to('io.k8s.api.core.v1.EventSeries') } }],
  [
    'io.k8s.api.core.v1.EventSeries',
    { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] },
  ],
  [
    'io.k8s.api.events.v1.Event',
    {
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group: 'events.k8s.io', version: 'v1', kind: 'Event' }],
      properties: {
        apiVersion: { type: 'string' },
        metadata: to('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'),
        type: { type: 'string', enum: ['Normal', 'Warning'] },
        notes: { type: 'array', items: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } } },
        'x-odd': { type: 'object', additionalProperties: to('io.k8s.apimachinery.pkg.api.resource.Quantity') },
        any: {},
      },
    },
  ],
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', {}],
  ['io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta', { type: 'object', properties: { name: { type: 'string' } } }],
])

test('shapes become read-only types, and a name that two groups use gets its group in front', () => {
  const files = printTypes(schemas, placeAll(schemas))
  expect(files.get('core-v1')).toBe(
    [
      'export interface Event {\n  readonly series?: EventSeries\n}',
      'export interface EventSeries {\n  readonly count: number\n}',
    ].join('\n\n'),
  )
  expect(files.get('events-v1')).toBe(
    [
      "import type { ObjectMeta, QuantityText } from './meta-v1.ts'",
      [
        'export interface EventsEvent {',
        "  readonly apiVersion: 'events.k8s.io/v1'",
        '  readonly metadata: ObjectMeta',
        "  readonly type?: 'Normal' | 'Warning'",
        "  readonly notes?: readonly (readonly ('a' | 'b')[])[]",
        "  readonly 'x-odd'?: Readonly<Record<string, QuantityText>>",
        '  readonly any?: unknown',
        '}',
      ].join('\n'),
    ].join('\n\n'),
  )
})

test('a schema of a group that nobody asked for is an error with its name', () => {
  expect(() => placeAll(new Map([['io.k8s.api.nodes.v9.Thing', {}]]))).toThrow(/Cannot place io.k8s.api.nodes.v9.Thing/)
})
