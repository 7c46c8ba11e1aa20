import type { KubeObject } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { NAMESPACE } from '../simulation/objects.ts'
import type { Caches } from '../world/caches.ts'
import { refusal } from '../testing/still-server.ts'
import { startActing } from './gen-acting.ts'

const broken = () => {
  throw new Error('cannot be read')
}

describe('a whole pass prevents that', () => {
  test.each([
    { id: 'NS-053', cache: 'controllers' },
    { id: 'NS-213', cache: 'claims' },
    { id: 'NS-240, NS-470', cache: 'nodes' },
  ] as const)('$id: something is done although $cache cannot be read', async ({ cache }) => {
    const { world, pass, requests } = startActing()
    const unreadable: Caches[typeof cache] = world.caches[cache]
    Object.assign(unreadable, { get: broken, list: broken, by: broken })
    await expect(pass()).rejects.toThrow('cannot be read') // the loop tells it, and tries again later
    expect(requests()).toEqual([])
  })

  test('NS-061: a NodeSet that is gone is an error', async () => {
    const { world, pass, requests } = startActing()
    const key = { namespace: NAMESPACE, name: 'foo' }
    world.caches.nodeSets.deleted(key, world.caches.nodeSets.get(key)?.metadata.uid ?? '')
    expect([await pass(), requests()]).toEqual([{ kind: 'settled' }, []])
  })

  test('NS-104: a step that fails keeps the status from being written, or is forgotten over it', async () => {
    const { pass, requests } = startActing({
      refuse: (text) => (text.startsWith('create Pod') ? 'InternalError' : undefined),
    })
    expect(await pass()).toMatchObject({ kind: 'retry', errors: [{ message: /InternalError/ }] })
    expect(requests('status NodeSet')).toEqual(['status NodeSet foo'])
  })
})

describe('writing the status prevents that', () => {
  test('NS-464: it is written again and again because an empty list is not the same as none', async () => {
    const { world, pass, clock, put, requests } = startActing()
    const turns = async (count: number) => {
      const before = requests('status').length
      for (let turn = 0; turn < count; turn++) {
        await pass()
        await clock.advance(1_500)
      }
      return requests('status').length - before
    }
    expect([await turns(3), await turns(3)]).toEqual([2, 0]) // it is being made, then it starts
    const { status, ...rest } = world.caches.nodeSets.get({ namespace: NAMESPACE, name: 'foo' }) ?? {}
    const { waiting: _waiting, ...others } = status ?? {}
    put({ ...rest, status: others } as unknown as KubeObject) // as the reference leaves it
    expect([await turns(1), await turns(3)]).toEqual([1, 0])
  })

  test.each([
    { name: 'NS-465: somebody who was faster', reason: 'Conflict' },
    { name: 'NS-466: the end of the NodeSet', reason: 'NotFound' },
  ] as const)('$name is an error', async ({ reason }) => {
    let refused = 0
    const refuse = (text: string) => (text.startsWith('status') && refused++ === 0 ? refusal(reason) : undefined)
    const { pass, clock, requests } = startActing({ refuse })
    expect((await pass()).kind).toBe('look-again')
    await clock.advance(1_500)
    await pass()
    expect(requests('status NodeSet')).toHaveLength(2)
  })
})
