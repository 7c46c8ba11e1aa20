import { describe, expect, test } from 'vitest'
import { KubeError, type FailureReason, type Patch } from '@slurm-operator/kube'
import { createVirtualClock } from '@slurm-operator/testkit'
import { outcomeOfStatus } from './outcome-of-status.ts'
import { buildConditions } from './state.ts'
import { StatusWriter, type Reportable } from './status-writer.ts'

const wanted = (replicas: number) => ({
  fields: { replicas },
  conditions: buildConditions({ kind: 'working', reason: 'Why', because: 'so' }, { generation: 1, isFirst: false }),
})

function startWriter(answer: (live: Reportable) => Reportable = bumped) {
  const clock = createVirtualClock()
  const sent: Patch[] = []
  const cached: Reportable[] = []
  let live: Reportable = { metadata: { uid: 'u', name: 'a', namespace: 'n', resourceVersion: '1', generation: 1 } }
  const writer = new StatusWriter<Reportable>({
    clock,
    fieldManager: 'me',
    wrote: (object) => cached.push(object),
    store: {
      patch: async (_key, patch) => {
        sent.push(patch)
        live = answer(live)
        return live
      },
    },
  })
  return { clock, sent, cached, write: (replicas: number, object = live) => writer.write(object, wanted(replicas)) }
}

const bumped = (live: Reportable): Reportable => ({
  ...live,
  metadata: { ...live.metadata, resourceVersion: String(Number(live.metadata.resourceVersion) + 1) },
})
const failing = (reason: FailureReason) => () => {
  throw new KubeError({ reason, request: 'patch', detail: 'no' })
}

test('one write a second, whatever happens; then what is true by then', async () => {
  const { clock, sent, cached, write } = startWriter()
  expect((await write(1)).kind).toBe('written')
  await clock.advance(400)
  expect(await write(2)).toEqual({ kind: 'later', inMs: 600 })
  await clock.advance(600)
  expect((await write(3)).kind).toBe('written')
  expect(sent).toHaveLength(2)
  expect(sent[1]).toMatchObject({ type: 'merge', body: { status: { replicas: 3 } } })
  expect(cached.map(({ metadata }) => metadata.resourceVersion)).toEqual(['2', '3'])
})

test('what the server does not store is sent once', async () => {
  const { clock, sent, write } = startWriter((live) => live)
  await write(1)
  await clock.advance(5_000)
  expect(await write(1)).toEqual({ kind: 'unchanged' })
  expect(sent).toHaveLength(1)
})

describe('what goes wrong', () => {
  test('somebody else was faster: the next pass, not an error', async () => {
    const result = await startWriter(failing('Conflict')).write(1)
    expect(result).toEqual({ kind: 'conflict' })
    expect(outcomeOfStatus(result)).toEqual({ kind: 'look-again', inSeconds: 1 })
  })
  test('the object is gone: nobody is left to read it', async () => {
    const result = await startWriter(failing('NotFound')).write(1)
    expect(outcomeOfStatus(result)).toEqual({ kind: 'settled' })
  })
  test('anything else is told', async () => {
    await expect(startWriter(failing('Forbidden')).write(1)).rejects.toThrow('Cannot patch')
  })
  test('a failed write counts as one: no hammering', async () => {
    const { write } = startWriter(failing('Conflict'))
    await write(1)
    expect(await write(1)).toEqual({ kind: 'later', inMs: 1000 })
  })
})

test('later becomes a wish of the pass', () => {
  expect(outcomeOfStatus({ kind: 'later', inMs: 250 })).toEqual({ kind: 'look-again', inSeconds: 0.25 })
  expect(outcomeOfStatus({ kind: 'unchanged' })).toEqual({ kind: 'settled' })
})

test('objects do not hold each other back, and old ones are forgotten', async () => {
  const { clock, write } = startWriter()
  const other = { metadata: { uid: 'v', name: 'b', namespace: 'n', resourceVersion: '1', generation: 1 } }
  await write(1)
  expect((await write(1, other)).kind).toBe('written')
  await clock.advance(3_000)
  expect((await write(2, other)).kind).toBe('written')
})
