import type { HttpAnswer, HttpRequest, Transport } from '@slurm-operator/kube'
import { expect, test } from 'vitest'
import { calm, RoughRoad, type Weather } from './rough-road.ts'

const call: HttpRequest = {
  ...{ method: 'PATCH', path: '/x', headers: {}, purpose: 'patch x', use: 'call', timeoutMs: 1000 },
}
const watch: HttpRequest = { ...call, method: 'GET', use: 'watch', purpose: 'watch x' }

/** A road in this weather, and what arrives at its end. */
function roadIn(weather: Partial<Weather>) {
  const arrived: string[] = []
  const road = new RoughRoad(() => 0.5)
  road.weather = { ...calm, ...weather }
  const inner: Transport = {
    host: 'server',
    close: () => {},
    send: async ({ purpose }): Promise<HttpAnswer> => {
      arrived.push(purpose)
      return { status: 200, headers: {}, body: pieces() }
    },
  }
  return { road, arrived, send: road.over(inner).send }
}

async function* pieces(): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from('one\n')
  yield Buffer.from('two\n')
}

async function read({ body }: HttpAnswer): Promise<string> {
  const parts: Uint8Array[] = []
  try {
    for await (const part of body) parts.push(part)
  } catch (error) {
    return `${Buffer.concat(parts).toString()}: ${error instanceof Error ? error.message : 'broken'}`
  }
  return Buffer.concat(parts).toString()
}

test('in calm weather something is lost', async () => {
  const { road, send } = roadIn({})
  expect(await read(await send(watch))).toBe('one\ntwo\n')
  await send(call)
  expect(road.writes).toEqual(['200 patch x'])
})

test('a dead operator goes on', async () => {
  const { road, arrived, send } = roadIn({})
  road.endAfter(1)
  await send(call)
  await expect(send(call)).rejects.toMatchObject({ reason: 'Unreachable', mayHaveHappened: true })
  expect(road.isOver).toBe(true)
  await expect(send(call)).rejects.toThrow('dead')
  expect(arrived).toHaveLength(2) // its last call was heard, and it did not hear the answer
})

test('a lost answer is the same as a lost request', async () => {
  const lost = roadIn({ lost: 1 })
  await expect(lost.send(call)).rejects.toMatchObject({ mayHaveHappened: true })
  const refused = roadIn({ refused: 1 })
  await expect(refused.send(call)).rejects.toMatchObject({ mayHaveHappened: false })
  expect([lost.arrived, refused.arrived]).toEqual([['patch x'], []])
})

test('a refusal cannot be read, or a watch never breaks', async () => {
  const answer = await roadIn({ error: 1 }).send(call)
  expect(JSON.parse(await read(answer))).toMatchObject({ kind: 'Status', code: answer.status })
  expect(await read(await roadIn({ cut: 1 }).send(watch))).toMatch(/^on: .*cut on purpose/)
})
