import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listOf, thing, type Thing } from './gen.ts'
import { Store } from './store.ts'

interface Told {
  readonly kind: 'heard' | 'gone'
  readonly object: Thing
}

/**
 * A server with a log of changes, a watch with a selector that may lag behind it, and a list that may be taken early and
 * arrive late.
 */
class Server {
  version = 0
  readonly objects = new Map<string, Thing>()
  /** Those that do not fit the selector, for now. */
  readonly outside = new Map<string, Thing>()
  /** By uid: those that did not fit at some time. An own write may show them again before the watch tells that they left. */
  readonly leavers = new Set<string>()
  readonly log: Told[] = []
  uids = 0

  create(name: string): Thing | undefined {
    if (this.objects.has(name) || this.outside.has(name)) return undefined
    return this.#store('heard', thing(name, ++this.version, { uid: `uid-${++this.uids}` }))
  }

  update(name: string): Thing | undefined {
    const found = this.objects.get(name)
    return found && this.#store('heard', thing(name, ++this.version, { uid: found.metadata.uid }))
  }

  remove(name: string): Thing | undefined {
    const found = this.objects.get(name)
    return found && this.#store('gone', thing(name, ++this.version, { uid: found.metadata.uid }))
  }

  leave(name: string): undefined {
    const left = this.remove(name)
    if (left === undefined) return
    this.outside.set(name, left)
    this.leavers.add(left.metadata.uid)
  }

  comeBack(name: string): undefined {
    const found = this.outside.get(name)
    if (found === undefined) return
    this.outside.delete(name)
    this.#store('heard', thing(name, ++this.version, { uid: found.metadata.uid }))
  }

  #store(kind: Told['kind'], object: Thing): Thing {
    if (kind === 'gone') this.objects.delete(object.metadata.name)
    else this.objects.set(object.metadata.name, object)
    this.log.push({ kind, object })
    return object
  }
}

const names = fc.constantFrom('one', 'two', 'three')
const step = fc.oneof(
  fc.record({ do: fc.constantFrom('create', 'update', 'remove'), name: names, by: fc.constantFrom('us', 'others') }),
  fc.record({ do: fc.constantFrom('leave' as const, 'comeBack' as const), name: names }),
  fc.record({ do: fc.constant('watch' as const), count: fc.nat(3) }),
  fc.record({ do: fc.constantFrom('begin-look' as const, 'end-look' as const), name: names }),
  fc.record({ do: fc.constant('begin-list' as const) }),
  fc.record({ do: fc.constant('end-list' as const) }),
)

test('no history of lags, lists, looks and own writes makes an object go back, hides an own write or leaves a difference', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const server = new Server()
      const store = new Store<Thing>()
      let cursor = 0 // how much of the log the watch has told
      let list: { objects: Map<string, Thing>; version: number; cursor: number } | undefined
      const looks = new Map<string, { object: Thing | undefined; version: string }>() // answers on their way
      const newest = new Map<string, number>() // by uid: the newest version that was readable
      const unseen: string[] = [] // own writes that could not be read at once
      const dead = new Set<string>() // uids whose deletion was told
      const look = () => {
        for (const { metadata } of store.list()) {
          if (server.leavers.has(metadata.uid)) continue
          expect(Number(metadata.resourceVersion)).toBeGreaterThanOrEqual(newest.get(metadata.uid) ?? 0)
          expect(dead.has(metadata.uid)).toBe(false)
          newest.set(metadata.uid, Number(metadata.resourceVersion))
        }
      }
      const note = (changes: ReturnType<typeof store.heard>) => {
        for (const { kind, object } of changes) if (kind === 'deleted') dead.add(object.metadata.uid)
        look()
      }
      const hear = (count: number) => {
        for (const { kind, object } of server.log.slice(cursor, cursor + count)) {
          note(kind === 'heard' ? store.heard(object) : store.heardGone(object))
          cursor++
        }
      }
      for (const action of steps) {
        switch (action.do) {
          case 'watch':
            hear(action.count)
            break
          case 'begin-look':
            looks.set(action.name, { object: server.objects.get(action.name), version: String(server.version) })
            break
          case 'end-look': {
            const answer = looks.get(action.name)
            if (answer === undefined) break
            const { name, namespace } = thing(action.name, 0).metadata
            note(store.lookedUp({ name, namespace }, answer.object, answer.version))
            looks.delete(action.name)
            break
          }
          case 'begin-list':
            list = { objects: listOf(...server.objects.values()), version: server.version, cursor: server.log.length }
            break
          case 'end-list':
            if (list === undefined || list.cursor < cursor) break // a list never shows less than was asked for
            note(store.replace(list.objects, String(list.version), () => true, false))
            cursor = list.cursor
            list = undefined
            break
          case 'leave':
          case 'comeBack':
            server[action.do](action.name)
            break
          case 'create':
          case 'update':
          case 'remove': {
            const object = server[action.do](action.name)
            if (object === undefined || action.by === 'others') break
            const { name, namespace, uid, resourceVersion } = object.metadata
            note(action.do === 'remove' ? store.deleted({ namespace, name }, uid) : store.wrote(object))
            const read = store.get({ namespace, name })
            const isGone = read?.metadata.uid !== uid
            const isSeen = Number(read?.metadata.resourceVersion) >= Number(resourceVersion)
            if (!(action.do === 'remove' ? isGone : isSeen)) unseen.push(`${action.do} ${name}`)
          }
        }
      }
      expect(unseen).toEqual([])
      hear(Number.POSITIVE_INFINITY)
      expect(new Map(store.list().map((object) => [object.metadata.name, object]))).toEqual(server.objects)
    }),
    { numRuns: 10_000 },
  )
})
