import type { NodeSet } from '@slurm-operator/api'
import {
  configMapResource,
  podDisruptionBudgetResource,
  serviceResource,
  type KubeObject,
  type Resource,
} from '@slurm-operator/kube'
import { NoOpMemory, silentLogger, type ChildKind, type Happening, type LiveChild } from '@slurm-operator/runtime'
import { describe, expect, test } from 'vitest'
import type { Kept } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import { act } from './act.ts'
import type { Acting } from './acting.ts'
import { aNodeSet, type SpecDifferences } from './gen-build.ts'
import { observeShared } from './observe-shared.ts'
import type { Step } from './steps.ts'

type Stored = KubeObject & LiveChild

/** A server with these NodeSets that keeps what it is told. */
class Server {
  readonly objects = new Map<string, Stored>()
  readonly events: string[] = []
  readonly #world: World

  constructor(nodeSets: readonly Kept<NodeSet>[]) {
    const resources = [serviceResource, podDisruptionBudgetResource, configMapResource]
    const by = (_index: string, controller: string) =>
      nodeSets.filter(({ metadata, spec }) => `${metadata.namespace}/${spec.controllerRef.name}` === controller)
    this.#world = {
      caches: { nodeSets: { by } },
      configMaps: { load: () => Promise.resolve() },
      workerChildKinds: resources.map((resource) => this.#kind(resource as unknown as Resource<KubeObject>)),
      knownNoOps: new NoOpMemory(),
    } as unknown as World
  }

  /** Compare, and put in order what is not. */
  async pass(nodeSet: ReturnType<typeof aNodeSet>) {
    const shared = await observeShared(nodeSet, this.#world, {})
    const steps = shared.facts
      .filter(({ state }) => state !== 'current')
      .map(({ what }): Step => ({ do: 'apply-shared', what, chain: what, reason: 'Different', because: 'x' }))
    const results = await act({ steps }, {
      ...{ observed: { nodeSet, shared, picture: { workers: [] } }, world: this.#world, log: silentLogger },
      record: ({ reason, note }: Happening) => void this.events.push(`${reason}: ${note}`),
      signal: new AbortController().signal,
    } as unknown as Acting)
    return { facts: shared.facts, results: results.map(({ kind }) => kind) }
  }

  /** As if somebody had edited it. */
  edit(name: string, change: object): void {
    const before = this.objects.get(name)
    if (before === undefined) throw new Error(`Cannot edit ${name}: there is none.`)
    this.objects.set(name, { ...before, ...change })
  }

  #kind(resource: Resource<KubeObject>): ChildKind {
    const ofKind = () => [...this.objects.values()].filter(({ kind }) => kind === resource.kind)
    const find = ({ name }: { readonly name: string }) => ofKind().find(({ metadata }) => metadata.name === name)
    return {
      ...{ resource, find },
      ownedBy: (uid) => ofKind().filter(({ metadata }) => metadata.ownerReferences?.some((one) => one.uid === uid)),
      read: (key) => Promise.resolve(find(key)),
      apply: (object) => Promise.resolve(this.#store(object)),
      delete: ({ name }) => Promise.resolve(this.objects.delete(name)),
    }
  }

  #store(object: KubeObject): Stored {
    const { name = '' } = object.metadata
    const version = Number(this.objects.get(name)?.metadata.resourceVersion ?? 0) + 1
    const server = { uid: `uid-of-${name}`, resourceVersion: String(version), creationTimestamp: '', managedFields: [] }
    const stored = { ...object, metadata: { ...object.metadata, ...server, name } }
    this.objects.set(name, stored)
    return stored
  }
}

const ssh: SpecDifferences = { ssh: { enabled: true, sssdConfRef: { name: 's', key: 'k' } } }
const owners = (server: Server, name: string) =>
  server.objects.get(name)?.metadata.ownerReferences?.map(({ name: owner }) => owner)

describe('looking after the objects besides the workers prevents that', () => {
  test('NS-182: a NodeSet owns the Service of another Slurm cluster', async () => {
    const nodeSets = [
      aNodeSet({}, { name: 'gpu-1' }),
      aNodeSet({}, { name: 'gpu-2' }),
      aNodeSet({ controllerRef: { name: 'other' } }, { name: 'gpu-3' }),
    ]
    const server = new Server(nodeSets)
    for (const nodeSet of nodeSets) await server.pass(nodeSet)
    expect(owners(server, 'slurm-workers-slurm')).toEqual(['gpu-1', 'gpu-2'])
    expect(owners(server, 'slurm-workers-other')).toEqual(['gpu-3'])
  })

  test('NS-186, WP-33: a Service that somebody edited stays as it is', async () => {
    const nodeSet = aNodeSet()
    const server = new Server([nodeSet])
    await server.pass(nodeSet)
    const right = server.objects.get('slurm-workers-slurm') as { spec?: object } | undefined
    server.edit('slurm-workers-slurm', { spec: { ...right?.spec, ports: [{ name: 'slurmd', port: 1 }] } })
    expect(await server.pass(nodeSet)).toMatchObject({
      facts: [{ what: 'worker-service', state: 'different' }, { state: 'current' }],
      results: ['done'],
    })
    expect(server.objects.get('slurm-workers-slurm')).toHaveProperty('spec', right?.spec)
    expect((await server.pass(nodeSet)).results).toEqual([])
  })

  test('NS-188, NS-189: nobody learns that sshd has a configuration, or is told again in every pass', async () => {
    const nodeSet = aNodeSet(ssh, { name: 'gpu-1' })
    const server = new Server([nodeSet])
    for (const one of [nodeSet, nodeSet]) await server.pass(one)
    expect(server.events).toEqual(['CreateSucceeded: Created ConfigMap gpu-1-ssh-config.'])
    const without = new Server([aNodeSet()])
    await without.pass(aNodeSet())
    expect([[...without.objects.keys()], without.events]).toEqual([
      ['slurm-workers-slurm', 'slurm-workers-pdb-slurm'],
      [],
    ])
  })
})
