import {
  apiVersionOf,
  configMapResource,
  createClientOn,
  customResourceDefinitionResource,
  deploymentResource,
  namespaceResource,
  secretResource,
  serviceResource,
  statefulSetResource,
  type Client,
  type KubeObject,
  type Live,
  type Resource,
} from '@slurm-operator/kube'
import { beforeAll, beforeEach } from 'vitest'
import type { CarryOutOptions, ChildResult } from '../apply/carry-out.ts'
import type { LiveChild, ParentObject } from '../apply/child.ts'
import { ensureChildren } from '../apply/ensure-children.ts'
import { thingDefinition, thingResource } from '../apply/gen.ts'
import { asCached, isServed, kindOn } from '../apply/gen-server.ts'
import { NoOpMemory } from '../apply/no-op-memory.ts'
import { eventually, type GetServer } from './gen.ts'

const fieldManager = 'engine'
const erased = (resource: unknown) => resource as Resource<KubeObject>

/** The kinds of children. */
export const kinds = {
  maps: erased(configMapResource),
  secrets: erased(secretResource),
  services: erased(serviceResource),
  sets: erased(statefulSetResource),
  deployments: erased(deploymentResource),
  things: thingResource,
} as const

let count = 0

/** A namespace with an owner, and the engine at work on what it owns. */
export class Family {
  readonly #client: Client
  readonly #memory = new NoOpMemory()
  readonly namespace: string
  #owner: ParentObject | undefined

  constructor(client: Client) {
    this.#client = client
    this.namespace = `family-${++count}`
  }

  async begin(): Promise<void> {
    const metadata = { name: this.namespace }
    await this.#client.resource(namespaceResource).create({ apiVersion: 'v1', kind: 'Namespace', metadata })
    this.#owner = await this.of(kinds.maps).create(this.object(kinds.maps, 'owner'))
  }

  get owner(): ParentObject {
    if (this.#owner === undefined) throw new Error('Cannot use the family: it has not begun.')
    return this.#owner
  }

  of(resource: Resource<KubeObject>) {
    return this.#client.resource(resource)
  }

  key(name: string) {
    return { namespace: this.namespace, name }
  }

  read(resource: Resource<KubeObject>, name: string): Promise<Live<KubeObject>> {
    return this.of(resource).get(this.key(name))
  }

  object(resource: Resource<KubeObject>, name: string, content: object = {}): KubeObject {
    return { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: this.key(name), ...content }
  }

  /** The engine on a cache that was filled a moment ago. */
  async optionsNow(): Promise<CarryOutOptions> {
    const filled = Object.values(kinds).map(async (resource) => {
      const { items } = await this.of(resource).list({ namespace: this.namespace })
      const cache = items.map((item): [string, LiveChild] => [item.metadata.name, asCached(item, fieldManager)])
      return kindOn(this.#client, resource, new Map(cache))
    })
    return { owner: this.owner, fieldManager, knownNoOps: this.#memory, kinds: await Promise.all(filled) }
  }

  async ensure(...wanted: readonly KubeObject[]): Promise<readonly ChildResult[]> {
    return ensureChildren(wanted, await this.optionsNow())
  }
}

/** A new family for each test of a suite. */
export function useFamily(getServer: GetServer): () => Family {
  let client: Client
  let family: Family
  beforeAll(async () => {
    const server = getServer()
    client = createClientOn(server.transport, { clock: server.clock, retry: { maxTries: 1 } })
    if (
      (await client.resource(customResourceDefinitionResource).find({ name: 'things.apply.example.com' })) === undefined
    )
      await client.resource(customResourceDefinitionResource).create(thingDefinition)
    await eventually(server, 'the new kind', () => isServed(client, thingResource))
  })
  beforeEach(async () => {
    family = new Family(client)
    await family.begin()
  })
  return () => family
}

/** Results in few words: `done apply config`. */
export function words(results: readonly ChildResult[]): string[] {
  return results.map(({ kind, step }) => `${kind} ${step.do} ${step.key.name}`)
}

/** Those that were not idle. */
export function acted(results: readonly ChildResult[]): string[] {
  return words(results).filter((word) => !word.startsWith('idle'))
}
