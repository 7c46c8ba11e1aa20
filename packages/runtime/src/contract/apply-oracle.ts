/**
 * The server as oracle: random objects are applied, and random changes of them. Whatever the server then says must be
 * what the engine predicted without asking.
 *
 * @module
 */
import {
  createClientOn,
  customResourceDefinitionResource,
  diffJson,
  namespaceResource,
  type Client,
  type JsonObject,
  type JsonPatchOperation,
  type KubeObject,
} from '@slurm-operator/kube'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ChildStep, LiveChild } from '../apply/child.ts'
import { anyKinds, anyThing, owner, thingDefinition, thingResource } from '../apply/gen.ts'
import { historiesOf, type History } from '../apply/gen-history.ts'
import { asCached, isRefused, isServed } from '../apply/gen-server.ts'
import { inParallel } from '../supervise/in-parallel.ts'
import { noKnownNoOps } from '../apply/no-op-memory.ts'
import { planChild } from '../apply/plan-child.ts'
import { eventually, type GetServer } from './gen.ts'

const SEED = Number(process.env['SEED'] ?? process.env['SIM_FROM'] ?? 1)
const CASES = Number(process.env['CASES'] ?? 200)
const AT_ONCE = 6
const fieldManager = 'engine'
const rules = { owner, fieldManager, knownNoOps: noKnownNoOps }
/** What anybody but a bookkeeper sees. */
function contentOf(object: KubeObject): JsonObject {
  const { managedFields: _fields, resourceVersion: _version, generation: _generation, ...metadata } = object.metadata
  const { spec, ...rest } = object as KubeObject & { readonly spec?: { readonly set?: readonly string[] } }
  const sorted = spec?.set === undefined ? spec : { ...spec, set: spec.set.toSorted() } // sets have no order
  return { ...rest, ...(sorted !== undefined && { spec: sorted }), metadata } as unknown as JsonObject
}

/** Whether an empty list of keyed elements is stored depends on what was there before; it means nothing either way. */
function isEmptyList(change: JsonPatchOperation): boolean {
  return change.op === 'add' && Array.isArray(change.value) && change.value.length === 0
}

/** An empty value in whose place the server puts its own: it costs one apply, which `NoOpMemory` then remembers. */
function isReplacedByServer(step: ChildStep): boolean {
  if (step.do !== 'apply') return false
  return step.differences.every(({ why, wanted }) => why === 'changed' && (wanted === '' || wanted === 0))
}

class Findings {
  readonly mistakes: string[] = []
  readonly seen = { refused: 0, idle: 0, changed: 0, useless: 0 }

  expectRest(what: string, { before }: History, step: ChildStep): void {
    if (step.do !== 'nothing' && !isReplacedByServer(step)) this.note(what, before, step)
  }

  note(what: string, { metadata }: KubeObject, more: object): void {
    const { differences = more } = more as { readonly differences?: object }
    this.mistakes.push(`${metadata.name}: ${what}: ${JSON.stringify(differences)}`)
  }
}

const kinds = [...anyKinds, { resource: thingResource, content: anyThing }]
type Kind = (typeof kinds)[number]

function plan(kind: Kind, wanted: KubeObject, live: LiveChild): ChildStep {
  return planChild(kind.resource, wanted, asCached(live, fieldManager), rules)
}

async function live(client: Client, kind: Kind, history: History, found: Findings): Promise<void> {
  const { before, after } = history
  const send = (object: KubeObject) => client.resource(kind.resource).apply(object, { fieldManager, force: true })
  const first = await send(before)
  found.expectRest('applied, and not at rest', history, plan(kind, before, first))
  const step = plan(kind, after, first)
  const second = await send(after)
  const isWritten = second.metadata.resourceVersion !== first.metadata.resourceVersion
  const changes = diffJson(contentOf(first), contentOf(second)).filter((change) => !isEmptyList(change))
  if (step.do === 'nothing' && changes.length > 0) found.note('a change was overlooked', before, changes)
  if (step.do === 'apply' && !isWritten) found.expectRest('an apply for nothing', history, step)
  found.seen[step.do === 'nothing' ? 'idle' : isWritten ? 'changed' : 'useless']++
  found.expectRest('changed, and not at rest', history, plan(kind, after, second))
}

/** The same histories, whatever the server. */
export function applyOracle(getServer: GetServer): void {
  describe(`the server is the oracle: seed ${SEED}, ${CASES} histories of each kind`, () => {
    let client: Client
    beforeAll(async () => {
      const server = getServer()
      client = createClientOn(server.transport, { clock: server.clock })
      await client.resource(namespaceResource).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } })
      await client.resource(customResourceDefinitionResource).create(thingDefinition)
      await eventually(server, 'the new kind', () => isServed(client, thingResource))
    })

    test.each(kinds.map((kind) => [kind.resource.kind, kind] as const))('%s', async (name, kind) => {
      const found = new Findings()
      const histories = historiesOf(kind, CASES, SEED)
      await inParallel(histories, AT_ONCE, async (history) => {
        try {
          await live(client, kind, history, found)
        } catch (error) {
          if (!isRefused(error)) throw error
          found.seen.refused++
        }
      })
      const { items } = await client.resource(kind.resource).list({ namespace: 'n' })
      console.log(`${name}: ${JSON.stringify(found.seen)}, ${items.length} objects`)
      expect(found.mistakes.slice(0, 5).join('\n')).toBe('')
      expect(found.seen.refused).toBeLessThan(CASES / 5) // else the test would say little
    })
  })
}
