import { configMapResource } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { failureOf } from '../contract/bench.ts'
import type { Fate } from './fate.ts'
import { inhabit, stateOf, thing } from './gen.ts'
import { planExactly } from './plan.ts'

const first = (fate: Fate) => ({ plan: planExactly({ steps: { 1: fate } }) })
const key = { namespace: 'default', name: 'one' }

interface FateCase {
  readonly fate: Fate
  readonly isStored: boolean
  readonly error: Readonly<Record<string, unknown>>
}

const cases: readonly FateCase[] = [
  { fate: { do: 'refuse' }, isStored: false, error: { reason: 'Unreachable', mayHaveHappened: false } },
  { fate: { do: 'cut', when: 'before' }, isStored: false, error: { reason: 'Unreachable', mayHaveHappened: true } },
  { fate: { do: 'cut', when: 'after' }, isStored: true, error: { reason: 'Unreachable', mayHaveHappened: true } },
  { fate: { do: 'hang', when: 'before' }, isStored: false, error: { reason: 'Timeout', mayHaveHappened: true } },
  { fate: { do: 'hang', when: 'after' }, isStored: true, error: { reason: 'Timeout', mayHaveHappened: true } },
  {
    fate: { do: 'answer', status: 500, when: 'before' },
    isStored: false,
    error: { reason: 'InternalError', code: 500 },
  },
  { fate: { do: 'answer', status: 500, when: 'after' }, isStored: true, error: { reason: 'InternalError', code: 500 } },
  { fate: { do: 'answer', status: 409, when: 'after' }, isStored: true, error: { reason: 'Conflict', code: 409 } },
  {
    fate: { do: 'answer', status: 429, when: 'before', retryAfterSeconds: 7 },
    isStored: false,
    error: { reason: 'TooManyRequests', retryAfterSeconds: 7 },
  },
]

describe('a call', () => {
  for (const { fate, isStored, error } of cases) {
    test(`whose fate is ${JSON.stringify(fate)} is ${isStored ? '' : 'not '}stored, and its caller learns what it can`, async () => {
      const { world, server, start } = await inhabit(first(fate))
      const failure = await world.clock.drive(failureOf(start('p').configMaps.create(thing('one'))))
      expect(failure).toMatchObject(error)
      expect(server.find(configMapResource, key) !== undefined).toBe(isStored)
    })
  }

  test('that hangs ends at the deadline of its caller, to the millisecond', async () => {
    const { world, start } = await inhabit(first({ do: 'hang', when: 'before' }))
    const creating = start('p').configMaps.create(thing('one'), { timeoutMs: 1234 })
    await world.clock.advance(1233)
    expect(await stateOf(world, creating)).toBe('open')
    await world.clock.advance(1)
    expect(await stateOf(world, creating)).toBe('broken')
  })

  test('that is late may arrive after its caller gave up', async () => {
    const { world, server, start } = await inhabit(first({ do: 'delay', requestMs: 5000 }))
    const failure = failureOf(start('p').configMaps.create(thing('one'), { timeoutMs: 1000 }))
    await world.clock.advance(1000)
    expect(await failure).toMatchObject({ reason: 'Timeout', mayHaveHappened: true })
    expect(server.find(configMapResource, key)).toBeUndefined()
    await world.clock.advance(4000)
    expect(server.find(configMapResource, key)).toBeDefined()
    expect(world.trace.lines().filter((line) => line.includes('gets'))).toEqual(['1000 #1 p gets Timeout'])
  })

  test('whose answer is late is stored at once', async () => {
    const { world, server, start } = await inhabit(first({ do: 'delay', answerMs: 5000 }))
    const creating = start('p').configMaps.create(thing('one'))
    expect(await stateOf(world, creating)).toBe('open')
    expect(server.find(configMapResource, key)).toBeDefined()
    await world.clock.advance(5000)
    expect((await creating).metadata.name).toBe('one')
  })

  test('that is taken back says so', async () => {
    const { world, start } = await inhabit(first({ do: 'hang', when: 'before' }))
    const giveUp = new AbortController()
    const failure = failureOf(start('p').configMaps.create(thing('one'), { signal: giveUp.signal }))
    await world.clock.settle()
    giveUp.abort()
    expect(await failure).toMatchObject({ reason: 'Aborted' })
  })
})
