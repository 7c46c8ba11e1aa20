import {
  configMapResource,
  createClientOn,
  namespaceResource,
  type Client,
  type ConfigMap,
  type ObjectMeta,
} from '@slurm-operator/kube'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keepOwnFields } from '../apply/owned-fields.ts'
import { Cache, withoutManagedFields, type CacheOptions } from '../cache/cache.ts'
import { foldingWriter } from '../cache/folding-writer.ts'
import { Witness, type Kept } from '../reflector/gen.ts'
import { SelfCheck } from '../reflector/self-check.ts'
import { breakableTransport, type BreakableTransport } from './breakable-transport.ts'
import { eventually, pass, type GetServer, type ServerUnderTest } from './gen.ts'

const patience = { firstMs: 10, mostMs: 200 }
let count = 0

/** A cache with its own way to the server, and everything that it told. */
class Follower {
  readonly cache: Cache<Kept, Kept>
  readonly way: BreakableTransport
  readonly client: Client
  readonly told: string[] = []
  readonly witness = new Witness()
  readonly lists: number[] = []
  readonly #stop = new AbortController()
  readonly #server: ServerUnderTest
  readonly #ended: Promise<void>

  constructor(server: ServerUnderTest, options: Partial<CacheOptions<Kept, Kept>>) {
    const { clock, transport } = server
    this.#server = server
    this.way = breakableTransport(transport)
    this.client = createClientOn(this.way.transport, { clock, retry: { maxTries: 1 } })
    this.cache = new Cache<Kept, Kept>({
      ...{ name: 'configmaps', reader: this.client.resource(configMapResource), keep: withoutManagedFields },
      ...{ clock, patience, random: Math.random, observer: { listed: (found) => void this.lists.push(found) } },
      ...options,
    })
    this.cache.listen(this.witness.hear)
    this.cache.listen(({ kind, object }) => void this.told.push(`${kind} ${object.metadata.name}`))
    this.#ended = this.cache.run({ stop: this.#stop.signal, abort: this.#stop.signal, ready: () => {} })
  }

  /** Wait until it has told as many changes as these. */
  async hears(howMany: number): Promise<readonly string[]> {
    const isHeard = () => this.told.length >= howMany
    await eventually(this.#server, `${howMany} changes, not only ${this.told.join(', ')}`, isHeard)
    return [...this.told, ...this.witness.complaints]
  }

  async end(): Promise<void> {
    this.#stop.abort()
    await this.#server.wait(this.#ended)
  }
}

/** The reflector and the cache that it fills: what they tell, and that they end up equal to the server. */
export function cacheContract(getServer: GetServer): void {
  describe('a cache', () => {
    let others: Client
    let namespace: string
    let followers: Follower[]

    beforeEach(async () => {
      const { transport, clock } = getServer()
      others = createClientOn(transport, { clock })
      followers = []
      namespace = await makeNamespace()
    })
    afterEach(async () => {
      for (const one of followers) await one.end()
    })

    const maps = () => others.resource(configMapResource)
    const makeNamespace = async () => {
      const metadata = { name: `cached-${++count}` }
      await others.resource(namespaceResource).create({ apiVersion: 'v1', kind: 'Namespace', metadata })
      return metadata.name
    }
    const object = (name: string, data: string, more: ObjectMeta = {}, place = namespace): ConfigMap => ({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...more, namespace: place, name }, data: { data } },
    })
    const key = (name: string) => ({ namespace, name })
    const make = (name: string, data = '1', more: ObjectMeta = {}) => maps().create(object(name, data, more))
    const change = (name: string, data: string) => maps().patch(key(name), { type: 'merge', body: { data: { data } } })

    const follow = async (options: Partial<CacheOptions<Kept, Kept>> = {}) => {
      const follower = new Follower(getServer(), { namespaces: [namespace], ...options })
      followers.push(follower)
      await getServer().wait(follower.cache.synced())
      return follower
    }
    const stored = async () =>
      new Map((await maps().list({ namespace })).items.map((one) => [one.metadata.uid, one.metadata.resourceVersion]))
    const cached = ({ cache }: Follower) =>
      new Map(cache.list().map(({ metadata }) => [metadata.uid, metadata.resourceVersion]))

    const expectTold = async (follower: Follower, ...changes: readonly string[]) =>
      expect(await follower.hears(changes.length)).toEqual(changes)

    test('has everything that existed when it is ready, and hears what happens then', async () => {
      await make('a')
      await make('b')
      const follower = await follow()
      expect([follower.cache.hasSynced, follower.told.toSorted()]).toEqual([true, ['added a', 'added b']])
      await change('a', '2')
      await expectTold(follower, 'added a', 'added b', 'updated a')
      await maps().delete(key('b'))
      await make('c')
      await expectTold(follower, 'added a', 'added b', 'updated a', 'deleted b', 'added c')
      expect(follower.cache.get(key('a'))?.data).toEqual({ data: '2' })
      expect(cached(follower)).toEqual(await stored())
    })

    test('tells an object that was made again under the same name as another one', async () => {
      const first = await make('same')
      const follower = await follow()
      await maps().delete(key('same'))
      const second = await make('same')
      await expectTold(follower, 'added same', 'deleted same', 'added same')
      expect(first.metadata.uid).not.toBe(second.metadata.uid)
      expect([...follower.witness.alive.keys()]).toEqual([second.metadata.uid])
    })

    test('goes on where it was when its stream breaks, without a second list', async () => {
      await make('kept')
      await make('replaced')
      const follower = await follow()
      for (let round = 0; round < 3; round++) {
        follower.way.breakStreams()
        await change('kept', `round ${round}`)
      }
      follower.way.cut()
      await maps().delete(key('replaced'))
      await make('replaced')
      await pass(getServer(), 500)
      follower.way.mend()
      const told = ['added kept', 'added replaced', 'updated kept', 'updated kept', 'updated kept']
      await expectTold(follower, ...told, 'deleted replaced', 'added replaced')
      expect(follower.lists).toEqual([2])
      expect(cached(follower)).toEqual(await stored())
    })

    test('finds by index what has the value now, and nothing that had it once', async () => {
      const indexes = { team: ({ metadata }: Kept) => [metadata.labels?.['team'] ?? 'nobody'] }
      await make('a', '1', { labels: { team: 'x' } })
      await make('b')
      const follower = await follow({ indexes })
      const found = (team: string) => follower.cache.by('team', team).map(({ metadata }) => metadata.name)
      expect([found('x'), found('nobody')]).toEqual([['a'], ['b']])
      await maps().patch(key('b'), { type: 'merge', body: { metadata: { labels: { team: 'x' } } } })
      await maps().patch(key('a'), { type: 'merge', body: { metadata: { labels: { team: 'y' } } } })
      await expectTold(follower, 'added a', 'added b', 'updated b', 'updated a')
      expect([found('x'), found('y'), found('nobody')]).toEqual([['b'], ['a'], []])
      await maps().delete(key('a'))
      await expectTold(follower, 'added a', 'added b', 'updated b', 'updated a', 'deleted a')
      expect(found('y')).toEqual([])
    })

    test('of some namespaces is one view of them, and sees no other', async () => {
      const [second, third] = [await makeNamespace(), await makeNamespace()]
      await make('one')
      await maps().create(object('two', '1', {}, second))
      await maps().create(object('three', '1', {}, third))
      const follower = await follow({ namespaces: [namespace, second] })
      expect(follower.told.toSorted()).toEqual(['added one', 'added two'])
      await maps().delete({ namespace: third, name: 'three' })
      await maps().delete({ namespace: second, name: 'two' })
      await eventually(getServer(), 'the deletion', () => follower.cache.size === 1)
      expect(follower.told).not.toContain('deleted three')
    })

    test('of a selection takes what leaves it for deleted, and what enters for new', async () => {
      await make('in', '1', { labels: { group: 'chosen' } })
      await make('out')
      const follower = await follow({ labelSelector: 'group=chosen' })
      await maps().patch(key('in'), { type: 'merge', body: { metadata: { labels: { group: null } } } })
      await maps().patch(key('out'), { type: 'merge', body: { metadata: { labels: { group: 'chosen' } } } })
      await expectTold(follower, 'added in', 'deleted in', 'added out')
    })

    test('has what we wrote before anybody told it, and hears of it only once', async () => {
      await make('theirs')
      const follower = await follow()
      const writer = foldingWriter(follower.client.resource(configMapResource), follower.cache)
      const { cache } = follower
      await writer.create(object('ours', '1'))
      expect(cache.get(key('ours'))?.data).toEqual({ data: '1' })
      await writer.apply(object('ours', '2'), { fieldManager: 'us', force: true })
      expect(cache.get(key('ours'))?.data).toEqual({ data: '2' })
      await writer.delete(key('theirs'))
      expect(cache.get(key('theirs'))).toBeUndefined()
      await make('last') // whoever hears of this has heard of everything before
      await expectTold(follower, 'added theirs', 'added ours', 'updated ours', 'deleted theirs', 'added last')
      expect(cached(follower)).toEqual(await stored())
    })

    test('can ask for one object that no watch has told of, or whose end, and keeps out what it does not select', async () => {
      const ours = { labels: { of: 'ours' } }
      const follower = await follow({ labelSelector: 'of=ours' })
      await follower.end() // it hears nothing any more
      await make('a', '1', ours)
      await make('stranger')
      for (const name of ['a', 'stranger', 'nobody']) await follower.cache.lookUp(key(name))
      const { managedFields: _dropped, ...metadata } = (await maps().get(key('a'))).metadata
      expect(follower.cache.list()).toEqual([{ ...object('a', '1', ours), metadata }])
      await maps().delete(key('a'))
      await follower.cache.lookUp(key('a'))
      expect(follower.cache.list()).toEqual([])
    })

    test('that drops managedFields keeps everything else; one that keeps ours keeps them whole', async () => {
      await maps().apply(object('a', '1', { labels: { ours: 'x' } }), { fieldManager: 'us' })
      await change('a', '2')
      const keep = (raw: Kept): Kept => {
        const managedFields = keepOwnFields(raw.metadata.managedFields, 'us')
        return { ...raw, metadata: { ...raw.metadata, managedFields } }
      }
      const [without, own] = [await follow(), await follow({ keep })]
      const whole = await maps().get(key('a'))
      const { managedFields, ...metadata } = whole.metadata
      expect(without.cache.get(key('a'))).toEqual({ ...whole, metadata })
      expect(managedFields).toHaveLength(2)
      await change('a', '3')
      await eventually(getServer(), 'the change', () => own.cache.get(key('a'))?.data?.['data'] === '3')
      await eventually(getServer(), 'the change', () => without.cache.get(key('a'))?.data?.['data'] === '3')
      expect(without.cache.get(key('a'))?.metadata).not.toHaveProperty('managedFields')
      expect(own.cache.get(key('a'))?.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['us'])
    })

    test('cannot be changed by whoever reads it', async () => {
      await make('a')
      const { cache } = await follow()
      expect(() => Object.assign(cache.get(key('a'))?.data ?? {}, { data: 'changed' })).toThrow(TypeError)
    })

    test('that is compared with the server is found to be equal', async () => {
      await make('a')
      const { cache } = await follow()
      const reader = others.metadata(configMapResource)
      const { clock, wait } = getServer()
      const check = new SelfCheck({ cache, reader, namespaces: [namespace], clock, random: Math.random })
      expect(await wait(check.check(new AbortController().signal))).toEqual([])
    })

    // It makes the server forget, so it comes last.
    test('lists again when the server has forgotten where it was, and tells what it missed', async () => {
      await make('changed')
      await make('gone')
      await make('replaced')
      const follower = await follow()
      follower.way.cut()
      await change('changed', '2')
      await maps().delete(key('gone'))
      await maps().delete(key('replaced'))
      await make('replaced')
      await make('new')
      await getServer().compact()
      await change('changed', '3') // so that the server has gone on since
      follower.way.mend()
      await eventually(getServer(), 'the second list', () => follower.lists.length === 2, 60_000)
      const before = ['added changed', 'added gone', 'added replaced']
      expect(follower.told.slice(0, 3)).toEqual(before)
      expect(follower.told.slice(3).toSorted()).toEqual(
        ['added new', 'added replaced', 'deleted gone', 'deleted replaced', 'updated changed'].toSorted(),
      )
      expect(follower.witness.complaints).toEqual([])
      expect(cached(follower)).toEqual(await stored())
      await change('new', '2')
      await eventually(getServer(), 'the next change', () => follower.told.at(-1) === 'updated new')
    })
  })
}
