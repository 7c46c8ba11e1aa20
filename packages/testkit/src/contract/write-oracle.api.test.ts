/**
 * The real server as oracle: the same sequences of writes of all forms on both servers. Every answer must be the same,
 * refusals, owners of fields and generations included.
 */
import {
  createClientOn,
  KubeError,
  type ManagedFieldsEntry,
  type Patch,
  type ResourceClient,
  type Transport,
} from '@slurm-operator/kube'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useBothServers } from './gen.ts'
import { widget, type Widget, widgetResource } from './widget.ts'

const NAMESPACE = 'writes'
const RUNS = 120

const { real, simulated } = useBothServers(NAMESPACE)

interface Content {
  readonly spec?: Widget['spec']
  readonly status?: Widget['status']
  readonly labels?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
}

interface Act {
  readonly verb:
    | 'create'
    | 'update'
    | 'merge'
    | 'status-merge'
    | 'status-apply'
    | 'apply'
    | 'scale'
    | 'delete'
    | 'remove-finalizers'
  readonly manager: string
  readonly content: Content
}

/** Do one thing, and say what the server said without what differs from run to run. */
async function answerTo(transport: Transport, name: string, act: Act): Promise<unknown> {
  const widgets = createClientOn(transport, { retry: { maxTries: 1 } }).resource(widgetResource)
  try {
    return tidy(await perform(widgets, name, act))
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    return {
      reason: error.reason,
      code: error.code,
      fields: [...new Set(error.causes.map(({ field = '' }) => field))].sort(),
    }
  }
}

async function perform(
  widgets: ResourceClient<Widget>,
  name: string,
  { verb, manager, content }: Act,
): Promise<unknown> {
  const key = { namespace: NAMESPACE, name }
  const { labels, finalizers, ...rest } = content
  const metadata = { ...key, ...(labels && { labels }), ...(finalizers && { finalizers }) }
  const object = { ...widget(NAMESPACE, name), ...rest, metadata } as Widget
  const merge: Patch = {
    type: 'merge',
    body: { ...rest, metadata: { ...(labels && { labels }), ...(finalizers && { finalizers }) } },
  }
  const options = { fieldManager: manager }
  switch (verb) {
    case 'create':
      return widgets.create(object, options)
    case 'update': {
      const { metadata: present } = await widgets.get(key)
      return widgets.update({ ...object, metadata: { ...metadata, resourceVersion: present.resourceVersion } }, options)
    }
    case 'merge':
      return widgets.patch(key, merge, options)
    case 'status-merge':
      return widgets.status.patch(key, merge, options)
    case 'status-apply':
      return widgets.status.apply(key, object, { ...options, force: true })
    case 'apply':
      return widgets.apply(object, { ...options, force: true })
    case 'scale':
      return widgets.scale.patch(
        key,
        { type: 'merge', body: { spec: { replicas: 1 + (content.spec === undefined ? 1 : 3) } } },
        options,
      )
    case 'delete':
      return widgets.delete(key)
    case 'remove-finalizers':
      return widgets.patch(key, { type: 'merge', body: { metadata: { finalizers: null } } }, options)
  }
}

const different = ['uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp']

function tidy(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (field, value: unknown) => {
    if (field === 'time') return undefined
    if (different.includes(field)) return 'some'
    return field === 'managedFields' ? sorted(value as ManagedFieldsEntry[]) : value
  })
}

function sorted(entries: readonly ManagedFieldsEntry[]): unknown {
  return Object.fromEntries(
    entries.map(({ manager, operation, subresource, ...rest }) => [
      [manager, operation, subresource ?? ''].join(' '),
      rest,
    ]),
  )
}

const anyWord = fc.constantFrom('x', 'y', 'z')
const maybe = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [] })
const anySpec = maybe({
  size: fc.integer({ min: 0, max: 3 }),
  color: fc.constantFrom('red', 'blue', 'green'),
  labels: fc.dictionary(anyWord, anyWord),
  words: fc.uniqueArray(anyWord),
  nested: maybe({ inner: anyWord }),
  stranger: anyWord,
  parts: fc.uniqueArray(fc.record({ name: anyWord, value: anyWord }, { requiredKeys: ['name'] }), {
    selector: ({ name }) => name,
  }),
})
const anyStatus = maybe({
  phase: anyWord,
  conditions: fc.uniqueArray(fc.record({ type: anyWord, status: anyWord }), { selector: ({ type }) => type }),
})
const anyContent: fc.Arbitrary<Content> = maybe({
  spec: anySpec.map((spec) => ({ size: 1, ...spec })),
  status: anyStatus,
  labels: fc.dictionary(anyWord, anyWord),
  finalizers: fc.constantFrom(['test.dev/a'], ['test.dev/a', 'test.dev/b']),
})
const anyAct: fc.Arbitrary<Act> = fc.record({
  verb: fc.constantFrom<Act['verb']>(
    'create',
    'update',
    'merge',
    'merge',
    'status-merge',
    'status-apply',
    'apply',
    'scale',
    'delete',
    'remove-finalizers',
  ),
  manager: fc.constantFrom('one', 'two'),
  content: anyContent,
})
const anyHistory = fc
  .tuple(anyContent, fc.array(anyAct, { maxLength: 7 }))
  .map(([content, acts]): Act[] => [{ verb: 'create', manager: 'one', content }, ...acts])

let count = 0

test('the real server and the simulated one agree on every write', async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async (acts) => {
      const name = `history-${++count}`
      for (const act of acts) {
        expect(await answerTo(simulated(), name, act), act.verb).toEqual(await answerTo(real(), name, act))
      }
    }),
    { numRuns: RUNS },
  )
})
