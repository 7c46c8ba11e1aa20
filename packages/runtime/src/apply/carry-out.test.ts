import { describe, expect, test } from 'vitest'
import {
  configMapResource,
  KubeError,
  type FailureCause,
  type FailureReason,
  type KubeObject,
  type Resource,
} from '@slurm-operator/kube'
import { buildRecreateStep, carryOutChildren, type CarryOutOptions } from './carry-out.ts'
import type { ChildKind, ChildStep, LiveChild } from './child.ts'
import { ensureChildren } from './ensure-children.ts'
import { owner } from './gen.ts'
import { stored } from './gen-model.ts'
import { NoOpMemory } from './no-op-memory.ts'
import { outcomeOfChildren } from './outcome-of-children.ts'

const maps = configMapResource as unknown as Resource<KubeObject>
const map = (name: string, data: object = { a: '1' }): KubeObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }) as KubeObject
const failure = (reason: FailureReason, causes: readonly FailureCause[] = []) =>
  new KubeError({ reason, request: 'apply', detail: 'told so', causes })

interface Script {
  readonly cached?: readonly LiveChild[]
  readonly onServer?: readonly LiveChild[]
  readonly apply?: (object: KubeObject) => LiveChild
  readonly remove?: () => void
}

/** A server in a few lines, which notes what it was asked. */
function setUp({
  cached = [],
  onServer = cached,
  apply = (object) => stored(object, { resourceVersion: '2' }),
  remove = () => {},
}: Script) {
  const asked: { what: string; options: object; object?: KubeObject }[] = []
  const named = (list: readonly LiveChild[], name: string) => list.find(({ metadata }) => metadata.name === name)
  const kind: ChildKind = {
    resource: maps,
    find: ({ name }) => named(cached, name),
    ownedBy: () => cached,
    read: async ({ name }, options) => {
      asked.push({ what: `read ${name}`, options })
      return named(onServer, name)
    },
    apply: async (object, options) => {
      asked.push({ what: `apply ${object.metadata.name}`, options, object })
      return apply(object)
    },
    patch: async ({ name }, { type }, options) => void asked.push({ what: `patch ${name} ${type}`, options }),
    delete: async ({ name }, options) => {
      asked.push({ what: `delete ${name}`, options })
      remove()
    },
  }
  const options: CarryOutOptions = { owner, fieldManager: 'engine', knownNoOps: new NoOpMemory(), kinds: [kind] }
  return { asked, options, ensure: (wanted: readonly KubeObject[]) => ensureChildren(wanted, options) }
}

describe('what is sent', () => {
  test('nothing, if nothing differs', async () => {
    const { asked, ensure } = setUp({ cached: [stored(map('a'))] })
    expect(outcomeOfChildren(await ensure([map('a')]))).toEqual({ kind: 'settled' })
    expect(asked).toEqual([])
  })
  test('a new object without force, after a look at the server', async () => {
    const { asked, ensure } = setUp({})
    expect(await ensure([map('a')])).toMatchObject([{ kind: 'done', object: { metadata: { resourceVersion: '2' } } }])
    expect(asked).toMatchObject([{ what: 'read a' }, { what: 'apply a', options: { fieldManager: 'engine' } }])
    expect(asked[1]?.options).not.toHaveProperty('force')
  })
  test('a change with force, for this very object only', async () => {
    const { asked, ensure } = setUp({ cached: [stored(map('a'))] })
    await ensure([map('a', { a: '2' })])
    expect(asked).toMatchObject([
      { what: 'apply a', options: { force: true, fieldManager: 'engine' }, object: { metadata: { uid: 'uid-a' } } },
    ])
  })
  test('a deletion for this very object in this very state, after everything else', async () => {
    const { asked, ensure } = setUp({ cached: [stored(map('old'))] })
    await ensure([map('new')])
    expect(asked.map(({ what }) => what)).toEqual(['read new', 'apply new', 'delete old'])
    expect(asked[2]?.options).toMatchObject({
      propagation: 'Background',
      preconditions: { uid: 'uid-old', resourceVersion: '1' },
    })
  })
})

describe('a cache that lags', () => {
  test('does not make us take over what somebody else just made', async () => {
    const { asked, ensure } = setUp({ onServer: [stored(map('a'), { ownerReferences: [] })] })
    expect(await ensure([map('a')])).toMatchObject([{ kind: 'refused', step: { refusal: { reason: 'NotOurs' } } }])
    expect(asked.map(({ what }) => what)).toEqual(['read a'])
  })
  test('does not make us write what we already wrote', async () => {
    const { asked, ensure } = setUp({ onServer: [stored(map('a'))] })
    expect(await ensure([map('a')])).toMatchObject([{ kind: 'idle' }])
    expect(asked.map(({ what }) => what)).toEqual(['read a'])
  })
  test('does not keep us from changing what is ours', async () => {
    const { asked, ensure } = setUp({ onServer: [stored(map('a', { a: 'old' }))] })
    expect(await ensure([map('a')])).toMatchObject([{ kind: 'done', step: { do: 'apply' } }])
    expect(asked.map(({ what }) => what)).toEqual(['read a', 'apply a'])
  })
  test('may show what is gone: then it is deleted', async () => {
    const { ensure } = setUp({
      cached: [stored(map('a'))],
      remove: () => {
        throw failure('NotFound')
      },
    })
    expect(await ensure([])).toMatchObject([{ kind: 'done' }])
  })
})

test('an apply that changed nothing is not sent again', async () => {
  const { asked, ensure } = setUp({ cached: [stored(map('a'))], apply: () => stored(map('a')) })
  await ensure([map('a', { a: '2' })])
  expect(await ensure([map('a', { a: '2' })])).toMatchObject([{ kind: 'idle' }])
  await ensure([map('a', { a: '3' })])
  expect(asked).toHaveLength(2)
})

describe('failures', () => {
  test('one bad child does not starve the others, and all failures are told', async () => {
    const { ensure } = setUp({
      apply: (object) => {
        if (object.metadata.name !== 'b') throw failure('ServiceUnavailable')
        return stored(object)
      },
    })
    const results = await ensure([map('a'), map('b'), map('c')])
    expect(results.map(({ kind }) => kind)).toEqual(['failed', 'done', 'failed'])
    expect(outcomeOfChildren(results)).toMatchObject({ kind: 'retry', errors: [{}, {}] })
  })
  test('a field that cannot be changed is named, and the object can be made anew', async () => {
    const cause = { field: 'data', message: 'Forbidden: field is immutable when `immutable` is set', reason: '' }
    const { ensure, options, asked } = setUp({
      cached: [stored(map('a'))],
      apply: () => {
        throw failure('Invalid', [cause])
      },
    })
    const results = await ensure([map('a', { a: '2' })])
    const [result] = results
    if (result?.kind !== 'immutable') throw new Error('it must be immutable')
    expect(result.fields).toEqual(['data.a'])
    expect(outcomeOfChildren(results)).toMatchObject({
      kind: 'stalled',
      reason: 'ImmutableField',
      because: 'ConfigMap n/a: data.a cannot be changed in an object that exists',
    })
    await carryOutChildren([buildRecreateStep(result, 'Orphan')], options)
    expect(asked.at(-1)).toMatchObject({
      what: 'delete a',
      options: { propagation: 'Orphan', preconditions: { uid: 'uid-a' } },
    })
  })
  test('what the server does not accept waits for a person', async () => {
    const { ensure } = setUp({
      apply: () => {
        throw failure('Invalid', [{ field: 'data', message: 'Required value', reason: '' }])
      },
    })
    const results = await ensure([map('a')])
    expect(outcomeOfChildren(results)).toMatchObject({
      kind: 'stalled',
      reason: 'ObjectInvalid',
      lookAgainInSeconds: 60,
    })
  })
  test('a stranger in our place waits for a person, and is looked at again', async () => {
    const { ensure } = setUp({ cached: [stored(map('a'), { ownerReferences: [] })] })
    expect(outcomeOfChildren(await ensure([map('a')]))).toMatchObject({
      kind: 'stalled',
      reason: 'ObjectNotOurs',
      lookAgainInSeconds: 60,
    })
  })
  test('what is being deleted is looked at again', async () => {
    const { ensure } = setUp({ cached: [stored(map('a'), { deletionTimestamp: 'x' })] })
    expect(outcomeOfChildren(await ensure([map('a')]))).toEqual({ kind: 'look-again', inSeconds: 5 })
  })
  test('a pass that must end sends nothing more', async () => {
    const { asked, options, ensure } = setUp({})
    Object.assign(options, { signal: AbortSignal.abort(new Error('too late')) })
    expect(await ensure([map('a')])).toMatchObject([{ kind: 'failed', error: { message: 'too late' } }])
    expect(asked).toEqual([])
  })
})

test('a default that no longer fits is made ours first, so that it goes', async () => {
  const withSpec = (strategy: object): KubeObject => ({ ...map('a'), spec: { strategy } }) as unknown as KubeObject
  const live = {
    ...stored(withSpec({ type: 'RollingUpdate' })),
    spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
  }
  const cause = { field: 'spec.strategy.rollingUpdate', message: 'Forbidden: may not be specified', reason: '' }
  let tries = 0
  const { asked, ensure } = setUp({
    cached: [live],
    apply: (object) => {
      if (++tries === 1) throw failure('Invalid', [cause])
      return stored(object, { resourceVersion: '2' })
    },
  })
  expect(await ensure([withSpec({ type: 'Recreate' })])).toMatchObject([{ kind: 'done' }])
  expect(asked.map(({ object }) => (object as unknown as { spec: { strategy: object } }).spec.strategy)).toEqual([
    { type: 'Recreate' },
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
    { type: 'Recreate' },
  ])
})

test('a few at a time', async () => {
  let [running, most] = [0, 0]
  const { options } = setUp({})
  const [kind] = options.kinds
  if (kind === undefined) throw new Error('there is one')
  const slow: ChildKind = {
    ...kind,
    apply: async (object) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      return stored(object)
    },
  }
  const steps = Array.from({ length: 20 }, (_, index): ChildStep => ({
    do: 'create',
    resource: maps,
    key: { name: `${index}` },
    object: map(`${index}`),
    because: '',
  }))
  const results = await carryOutChildren(steps, { ...options, kinds: [slow], mostAtOnce: 3 })
  expect(results.map(({ step }) => step)).toEqual(steps)
  expect(most).toBe(3)
})

test('the memory of useless writes has an end', () => {
  const memory = new NoOpMemory()
  for (let number = 0; number < 3_000; number++) memory.learn(`u-${number}`, 'f')
  expect(memory.size).toBe(2_000)
  expect([memory.has('u-0', 'f'), memory.has('u-2999', 'f')]).toEqual([false, true])
  for (let number = 0; number < 10; number++) memory.learn('u', `${number}`)
  expect([memory.has('u', '1'), memory.has('u', '9')]).toEqual([false, true])
})
