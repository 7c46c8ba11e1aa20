import {
  createSimulatedSlurm,
  createVirtualClock,
  type SimulatedSlurm,
  type VirtualClock,
} from '@slurm-operator/testkit'
import { describe, expect, test } from 'vitest'
import type { Transport } from '../client/transport.ts'
import { aNode } from '../model/gen.ts'
import { connect, type SlurmConnection } from '../registry/connection.ts'
import { isDrained } from '../states/node-states.ts'
import { Secret } from '../tokens/secret.ts'
import { glimpseEffect, isSameAtAGlance } from './node-kind.ts'

const SECOND = 1000
const LIST_MS = 2 * SECOND

interface World {
  readonly clock: VirtualClock
  readonly slurm: SimulatedSlurm
  readonly connection: SlurmConnection
  /** How many looks at single nodes there were. */
  readonly looks: () => number
}

/** A Slurm whose lists of nodes take long; a single node is answered at once. */
function slowSlurm(listMs = LIST_MS, spoil: (text: string) => string = (text) => text): World {
  const clock = createVirtualClock()
  const slurm = createSimulatedSlurm({ clock, workers: 3, latencyMs: 0 })
  const openTransport = () => delayed(slurm.openTransport(), clock, listMs, spoil)
  const settings = {
    endpoints: ['http://slow'],
    token: { kind: 'signing-key', key: new Secret(slurm.signingKey) },
  } as const
  const connection = connect(settings, { clock, random: () => 0.5, openTransport })
  const looks = (): number => slurm.requests.filter(({ line }) => line.startsWith('GET /node/')).length
  return { clock, slurm, connection, looks }
}

function delayed(inner: Transport, clock: VirtualClock, listMs: number, spoil: (text: string) => string): Transport {
  return {
    close: () => inner.close(),
    send: async (request, signal) => {
      const answer = await inner.send(request, signal)
      if (request.path.includes('/nodes/'))
        await new Promise((resolve) => void clock.schedule(listMs, () => resolve(0)))
      if (!request.path.includes('/node/')) return answer
      const chunks: Uint8Array[] = []
      for await (const chunk of answer.body) chunks.push(chunk)
      const text = spoil(Buffer.concat(chunks).toString())
      return {
        ...answer,
        body: (async function* () {
          yield Buffer.from(text)
        })(),
      }
    },
  }
}

async function waitFor({ clock }: World, what: () => boolean, patienceMs: number): Promise<number> {
  const beganMs = clock.monotonic()
  while (!what() && clock.monotonic() - beganMs < patienceMs) await clock.advance(10)
  return clock.monotonic() - beganMs
}

/** Everything is known, and somebody waits for the nodes of these names. */
async function settled(world: World, names: readonly string[]): Promise<void> {
  await world.clock.advance(20 * SECOND)
  world.connection.view.hurry('nodes', 120 * SECOND, names)
  await world.clock.advance(10 * SECOND)
  expect(world.connection.view.node('worker-1').kind).toBe('seen')
}

describe('looks at single nodes prevent that', () => {
  test('a change is heard of seconds late, because lists take long', async () => {
    const world = slowSlurm()
    const { slurm, connection } = world
    await settled(world, ['worker-1'])
    const heard: string[] = []
    connection.subscribe((change) => change.kind === 'node' && heard.push(change.now?.comment ?? ''))
    slurm.orders.updateNode('worker-1', { comment: 'changed' })
    expect(await waitFor(world, () => heard.includes('changed'), 10 * SECOND)).toBeLessThan(SECOND)
    expect(connection.view.node('worker-1')).toMatchObject({ kind: 'seen', value: { comment: 'changed' } })
    await connection.close()
  })

  test('a new worker waits for the next list to be heard of, or a deleted one', async () => {
    const world = slowSlurm()
    const { slurm, connection } = world
    await settled(world, ['worker-9', 'worker-3'])
    const heard: string[] = []
    connection.subscribe((change) => change.kind === 'node' && heard.push(`${change.name} ${change.now ? '+' : '-'}`))
    slurm.addWorker({ name: 'worker-9' })
    slurm.orders.deleteNode('worker-3')
    const hasBoth = (): boolean => heard.includes('worker-9 +') && heard.includes('worker-3 -')
    expect(await waitFor(world, hasBoth, 10 * SECOND)).toBeLessThan(SECOND)
    expect(connection.view.node('worker-9')).toMatchObject({ kind: 'unknown', last: { name: 'worker-9' } })
    expect(connection.view.node('worker-3')).toMatchObject({ kind: 'unknown' }) // only a list says absent
    await waitFor(world, () => connection.view.node('worker-3').kind === 'absent', 60 * SECOND)
    expect(connection.view.node('worker-9').kind).toBe('seen')
    expect(connection.view.node('worker-3').kind).toBe('absent')
    await connection.close()
  })

  test('a node looks drained that got a job since the last list', async () => {
    const world = slowSlurm()
    const { slurm, connection } = world
    await settled(world, ['worker-1'])
    slurm.orders.submitJob({ requiredNodes: ['worker-1'], cpusPerTask: 1, runMs: 600 * SECOND })
    await waitFor(world, () => slurm.truth.node('worker-1')?.jobs.length === 1, SECOND)
    slurm.orders.updateNode('worker-1', { state: 'DRAIN', reason: 'theirs' })
    const answers = new Set<string>()
    const noteAnswer = (): boolean => !answers.add(isDrained(connection.view.node('worker-1')))
    await waitFor(world, noteAnswer, 15 * SECOND)
    expect([...answers].toSorted()).toEqual(['no', 'unknown'])
    await connection.close()
  })

  test('a node is never known, because looks at it and lists never agree', async () => {
    const world = slowSlurm(LIST_MS, (text) => text.replace('"IDLE"', '"IDLE","PLANNED"'))
    await settled(world, [])
    world.connection.view.hurry('nodes', 120 * SECOND, ['worker-1'])
    await world.clock.advance(20 * SECOND)
    let seenMs = 0
    for (let at = 0; at < 30; at++) {
      await world.clock.advance(SECOND)
      if (world.connection.view.node('worker-1').kind === 'seen') seenMs += SECOND
    }
    expect(seenMs).toBe(30 * SECOND)
    await world.connection.close()
  })

  test('Slurm is asked about each of a thousand nodes all the time', async () => {
    const world = slowSlurm()
    await settled(
      world,
      Array.from({ length: 1000 }, (_, at) => `node-${at}`),
    )
    const before = world.looks()
    await world.clock.advance(10 * SECOND)
    expect(world.looks() - before).toBeGreaterThan(0)
    expect(world.looks() - before).toBeLessThanOrEqual(480)
    await world.connection.close()
  })

  test('Slurm is asked twice where lists are fast, or when nobody waits any more', async () => {
    const fast = slowSlurm(10)
    await settled(fast, ['worker-1'])
    expect(fast.looks()).toBe(0)
    await fast.connection.close()
    const slow = slowSlurm()
    await settled(slow, ['worker-1'])
    await slow.clock.advance(120 * SECOND)
    const before = slow.looks()
    await slow.clock.advance(60 * SECOND)
    expect(slow.looks()).toBe(before)
    await slow.connection.close()
  })
})

describe('what a look shows', () => {
  const listed = aNode({ name: 'a', states: ['MIXED', 'DYNAMIC_NORM'], comment: 'x', allocatedCpus: 1 })

  test('is no news if only the order of its states or its use is another', () => {
    const found = aNode({ name: 'a', states: ['DYNAMIC_NORM', 'MIXED'], comment: 'x', allocatedCpus: 0 })
    expect(isSameAtAGlance(listed, found)).toBe(true)
    expect(glimpseEffect(listed, found)).toBeUndefined()
    expect(glimpseEffect(undefined, undefined)).toBeUndefined()
  })

  test('does not replace the use that a list has counted', () => {
    const effect = glimpseEffect(listed, aNode({ ...listed, comment: 'y', allocatedCpus: 0 }))
    expect(effect).toMatchObject({ kind: 'change', touchesState: false })
    expect(effect?.kind === 'change' && effect.fold(listed)).toMatchObject({ comment: 'y', allocatedCpus: 1 })
  })

  test('makes the node unknown if its state is another', () => {
    expect(glimpseEffect(listed, aNode({ ...listed, states: ['MIXED', 'DYNAMIC_NORM', 'DRAIN'] }))).toMatchObject({
      touchesState: true,
    })
  })
})
