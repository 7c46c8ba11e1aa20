/**
 * The real server as oracle: the same sequences of apply, by several managers and with or without force, on both servers.
 * Every answer must be the same, refusals included.
 */
import {
  configMapResource,
  createClientOn,
  deploymentResource,
  type KubeObject,
  KubeError,
  type Resource,
  type Transport,
} from '@slurm-operator/kube'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { useBothServers } from './gen.ts'
import { widgetResource } from './widget.ts'

const NAMESPACE = 'oracle'
const RUNS = 120

const { real, simulated } = useBothServers(NAMESPACE)

interface Wish {
  readonly manager: string
  readonly force: boolean
  readonly content: object
}

/** What a server says to one apply, without what differs from run to run. */
async function answerTo(
  transport: Transport,
  resource: Resource<KubeObject>,
  name: string,
  { manager, force, content }: Wish,
): Promise<unknown> {
  const { group, version, kind } = resource
  const head = {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: { namespace: NAMESPACE, name },
  }
  try {
    const client = createClientOn(transport, { retry: { maxTries: 1 } })
    const { metadata, ...rest } = await client
      .resource(resource)
      .apply({ ...head, ...content }, { fieldManager: manager, force })
    const owners = (metadata.managedFields ?? []).map(({ manager, operation, fieldsV1 }) => [
      `${manager} ${operation}`,
      fieldsV1,
    ])
    return {
      rest,
      owners: Object.fromEntries(owners) as object,
      labels: metadata.labels,
      generation: metadata.generation,
    }
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    return { reason: error.reason, code: error.code, fields: error.causes.map(({ field = '' }) => field).sort() }
  }
}

let count = 0

function agreesOn(resource: Resource<KubeObject>, anyContent: fc.Arbitrary<object>): Promise<void> {
  const anyWish = fc.record({
    manager: fc.constantFrom('one', 'two', 'three'),
    force: fc.boolean(),
    content: anyContent,
  })
  return fc.assert(
    fc.asyncProperty(fc.array(anyWish, { minLength: 1, maxLength: 5 }), async (wishes) => {
      const name = `history-${++count}`
      for (const wish of wishes) {
        const [wanted, got] = [
          await answerTo(real(), resource, name, wish),
          await answerTo(simulated(), resource, name, wish),
        ]
        expect(got).toEqual(wanted)
      }
    }),
    { numRuns: RUNS },
  )
}

const anyWord = fc.constantFrom('x', 'y', 'z')
const unique = <T>(item: fc.Arbitrary<T>, selector: (value: T) => string) =>
  fc.uniqueArray(item, { selector, maxLength: 3 })
const maybe = <T extends object>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [] })

describe('the real server and the simulated one agree on every apply', () => {
  test('to a custom kind', async () => {
    const spec = maybe({
      size: fc.integer({ min: 1, max: 3 }),
      color: fc.constantFrom('red', 'blue'),
      labels: fc.dictionary(anyWord, anyWord),
      words: fc.uniqueArray(anyWord),
      list: fc.array(anyWord, { maxLength: 2 }),
      nested: maybe({ inner: anyWord }),
      whole: maybe({ a: anyWord, b: anyWord }),
      free: fc.dictionary(anyWord, fc.oneof(anyWord, fc.dictionary(anyWord, anyWord))),
      parts: unique(
        fc.record({ name: anyWord, value: anyWord, port: fc.nat(2) }, { requiredKeys: ['name'] }),
        ({ name }) => name,
      ),
    })
    await agreesOn(widgetResource, maybe({ spec }))
  })

  test('to a ConfigMap', async () => {
    const content = maybe({ data: fc.dictionary(anyWord, anyWord), immutable: fc.constant(false) })
    await agreesOn(configMapResource, content)
  })

  test('to the containers of a Deployment', async () => {
    const container = fc.record(
      {
        name: anyWord,
        image: fc.constantFrom('a:1', 'a:2'),
        args: fc.array(anyWord, { maxLength: 2 }),
        env: unique(fc.record({ name: anyWord, value: anyWord }), ({ name }) => name),
        ports: unique(
          fc.record(
            { containerPort: fc.integer({ min: 80, max: 82 }), protocol: fc.constantFrom('TCP', 'UDP') },
            { requiredKeys: ['containerPort'] },
          ),
          (port) => `${port.containerPort}${port.protocol ?? 'TCP'}`,
        ),
        resources: maybe({ limits: fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '2')) }),
      },
      { requiredKeys: ['name', 'image'] },
    )
    const labels = { app: 'a' }
    const containers = fc.uniqueArray(container, { selector: ({ name }) => name, minLength: 1, maxLength: 3 })
    const content = fc.record(
      { containers, replicas: fc.nat(2), nodeSelector: fc.dictionary(anyWord, anyWord) },
      { requiredKeys: ['containers'] },
    )
    const wanted = content.map(({ containers, replicas, nodeSelector }) => ({
      spec: {
        selector: { matchLabels: labels },
        ...(replicas !== undefined && { replicas }),
        template: { metadata: { labels }, spec: { containers, ...(nodeSelector && { nodeSelector }) } },
      },
    }))
    await agreesOn(deploymentResource, wanted)
  })
})
