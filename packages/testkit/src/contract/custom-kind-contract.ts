import { describe, expect, test } from 'vitest'
import { failureOf, useBench } from './bench.ts'
import type { GetServer } from './server-under-test.ts'
import { widget, type Widget } from './widget.ts'

const NAMESPACE = 'custom'

/** Kinds from CRDs: what the server adds, takes away and refuses, and what counts as a change. */
export function customKindContract(getServer: GetServer): void {
  describe('a custom kind', () => {
    const bench = useBench(getServer, NAMESPACE)
    const key = (name: string) => ({ namespace: NAMESPACE, name })
    const create = (name: string, spec: Widget['spec'], more?: Partial<Widget>) =>
      bench().widgets.create(widget(NAMESPACE, name, spec, more))

    test('gets its defaults, also where a null stands', async () => {
      const { spec } = await create('defaults', {
        size: 1,
        color: null,
        nested: {},
        parts: [{ name: 'p' }],
        maybe: null,
        code: null,
        labels: { a: null },
      })
      expect(spec).toEqual({
        size: 1,
        replicas: 1,
        color: 'red',
        nested: { inner: 'given' },
        parts: [{ name: 'p', port: 80 }],
        maybe: null,
        labels: {},
      })
    })

    test('loses what its schema does not know, and the server says so', async () => {
      const sent = {
        size: 1,
        stranger: 1,
        parts: [{ name: 'p', odd: 1 }],
        free: { any: [1, { thing: null }] },
        template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', odd: 1 }, other: 1 },
      }
      const { spec, ...rest } = await create('pruned', sent, { extra: 1 } as Partial<Widget>)
      expect(spec).toMatchObject({
        free: { any: [1, { thing: null }] },
        template: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, other: 1 },
      })
      expect([Object.keys(spec ?? {}).includes('stranger'), Object.keys(rest).includes('extra')]).toEqual([
        false,
        false,
      ])
      const unknown = ['extra', 'spec.stranger', 'spec.parts[0].odd', 'spec.template.metadata.odd']
      expect(bench().warnings).toEqual(expect.arrayContaining(unknown.map((path) => `unknown field "${path}"`)))
    })

    test('is refused with unknown fields by those who are strict', async () => {
      const error = await failureOf(
        bench().widgets.create(widget(NAMESPACE, 'strict', { size: 1, stranger: 1 }), { fieldValidation: 'Strict' }),
      )
      expect(error).toMatchObject({ code: 400, reason: 'BadRequest' })
      expect(error.message).toContain('strict decoding error: unknown field "spec.stranger"')
    })

    const wrong: readonly {
      readonly spec: Record<string, unknown>
      readonly field: string
      readonly reason: string
      readonly words: string
    }[] = [
      { spec: {}, field: 'spec.size', reason: 'FieldValueRequired', words: 'Required value' },
      {
        spec: { size: 'x' },
        field: 'spec.size',
        reason: 'FieldValueTypeInvalid',
        words: 'must be of type integer: "string"',
      },
      {
        spec: { size: 0 },
        field: 'spec.size',
        reason: 'FieldValueInvalid',
        words: 'should be greater than or equal to 1',
      },
      {
        spec: { size: 11 },
        field: 'spec.size',
        reason: 'FieldValueInvalid',
        words: 'should be less than or equal to 10',
      },
      {
        spec: { size: 1, color: 'green' },
        field: 'spec.color',
        reason: 'FieldValueNotSupported',
        words: 'supported values: "red", "blue"',
      },
      {
        spec: { size: 1, code: 'ABC' },
        field: 'spec.code',
        reason: 'FieldValueInvalid',
        words: "should match '^[a-z]+$'",
      },
      {
        spec: { size: 1, code: 'a' },
        field: 'spec.code',
        reason: 'FieldValueInvalid',
        words: 'should be at least 2 chars long',
      },
      {
        spec: { size: 1, code: 'abcdef' },
        field: 'spec.code',
        reason: 'FieldValueTooLong',
        words: 'may not be more than 5 bytes',
      },
      {
        spec: { size: 1, list: ['a', 'b', 'c'] },
        field: 'spec.list',
        reason: 'FieldValueTooMany',
        words: 'must have at most 2 items',
      },
      {
        spec: { size: 1, list: 'a' },
        field: 'spec.list',
        reason: 'FieldValueTypeInvalid',
        words: 'must be of type array: "string"',
      },
      {
        spec: { size: 1, labels: { a: 5 } },
        field: 'spec.labels.a',
        reason: 'FieldValueTypeInvalid',
        words: 'must be of type string: "integer"',
      },
      {
        spec: { size: 1, either: true },
        field: 'spec.either',
        reason: 'FieldValueTypeInvalid',
        words: 'must be of type integer,string: "boolean"',
      },
      {
        spec: { size: 1, at: 'noon' },
        field: 'spec.at',
        reason: 'FieldValueTypeInvalid',
        words: 'must be of type date-time: "noon"',
      },
      {
        spec: { size: 1, words: ['a', 'a'] },
        field: 'spec.words[1]',
        reason: 'FieldValueDuplicate',
        words: 'Duplicate value: "a"',
      },
      {
        spec: { size: 1, parts: [{ name: 'a' }, { name: 'a' }] },
        field: 'spec.parts[1]',
        reason: 'FieldValueDuplicate',
        words: 'Duplicate value: {"name":"a"}',
      },
      {
        spec: { size: 1, parts: [{ value: 'a' }] },
        field: 'spec.parts[0].name',
        reason: 'FieldValueRequired',
        words: 'Required value',
      },
    ]
    for (const { spec, field, reason, words } of wrong) {
      test(`is refused with ${JSON.stringify(spec)}`, async () => {
        const error = await failureOf(create('wrong', spec))
        expect(error).toMatchObject({ reason: 'Invalid', code: 422 })
        expect(error.causes).toContainEqual({ field, reason, message: expect.stringContaining(words) as string })
        expect(error.message).toContain('Widget.contract.test "wrong" is invalid: ')
      })
    }

    test('counts changes of what is wanted in its generation, and no others', async () => {
      const { widgets } = bench()
      const generation = async (change: Promise<{ metadata: { generation?: number } }>) =>
        (await change).metadata.generation
      expect(await generation(create('counted', { size: 1 }))).toBe(1)
      const patch = (body: object) => generation(widgets.patch(key('counted'), { type: 'merge', body }))
      expect(await patch({ metadata: { labels: { a: 'b' } } })).toBe(1)
      expect(await patch({ spec: { size: 2 } })).toBe(2)
      expect(await patch({ spec: { size: 2 } })).toBe(2)
      expect(
        await generation(widgets.status.patch(key('counted'), { type: 'merge', body: { status: { phase: 'Fine' } } })),
      ).toBe(2)
    })

    test('keeps its status from the main door, and everything else from the status door', async () => {
      const { widgets } = bench()
      const made = await create('doors', { size: 1 }, { status: { phase: 'Early' } })
      expect(made.status).toBeUndefined()
      const sent = {
        ...made,
        spec: { size: 9 },
        status: { phase: 'Fine' },
        metadata: { ...made.metadata, labels: { a: 'b' } },
      }
      const written = await widgets.status.update(key('doors'), sent)
      expect([written.spec?.['size'], written.status, written.metadata.labels]).toEqual([
        1,
        { phase: 'Fine' },
        undefined,
      ])
      const changed = await widgets.patch(key('doors'), {
        type: 'merge',
        body: { spec: { size: 2 }, status: { phase: 'Late' } },
      })
      expect([changed.spec?.['size'], changed.status]).toEqual([2, { phase: 'Fine' }])
    })

    test('is scaled through its own door', async () => {
      const { widgets } = bench()
      await create('scaled', { size: 1, replicas: 2 })
      expect(await widgets.scale.get(key('scaled'))).toMatchObject({
        kind: 'Scale',
        spec: { replicas: 2 },
        status: { replicas: 0 },
      })
      await widgets.scale.patch(key('scaled'), { type: 'merge', body: { spec: { replicas: 5 } } })
      expect(await widgets.get(key('scaled'))).toMatchObject({
        spec: { size: 1, replicas: 5 },
        metadata: { generation: 2 },
      })
    })

    test('says what its items are in lists', async () => {
      const { text } = await bench().client.raw({
        method: 'GET',
        path: `/apis/contract.test/v1/namespaces/${NAMESPACE}/widgets`,
      })
      const { kind, items } = JSON.parse(text) as { kind: string; items: { kind?: string }[] }
      expect([kind, items[0]?.kind]).toEqual(['WidgetList', 'Widget'])
    })
  })
}
