import { labelKeys, selectorLabels } from '@slurm-operator/api'
import type { KubeObject, OwnerReference, Resource } from '@slurm-operator/kube'
import { SlurmError, type NodeUpdate, type SlurmConnection } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { NAMESPACE } from '../simulation/objects.ts'
import { refusal } from '../testing/still-server.ts'
import { aPicture } from './gen.ts'
import { startActing } from './gen-acting.ts'
import type { StepResult } from './step-result.ts'
import type { ClaimWish, Step } from './steps.ts'

const common = { reason: 'x', because: 'it must' }
const claimOf = (pod: string): ClaimWish => ({
  ...{ template: 'data', name: `data-${pod}`, exists: false, ownedByNodeSet: false },
})
const create = (name: string, claims: readonly ClaimWish[] = []): Step => ({
  ...{ do: 'create-pod', chain: `pod/${name}`, ...common },
  worker: {
    ordinalText: name.split('-')[1],
    name,
    hostname: name,
    node: undefined,
    revisionHash: 'h',
    claims,
    isProtected: false,
  },
})
const about = (pod: string) => ({ pod, uid: `uid-of-Pod-${pod}`, chain: `pod/${pod}`, ...common })
const uncordon = (pod: string): Step => ({ do: 'patch-pod', ...about(pod), labels: {}, annotations: { a: null } })
const pod = (name: string, rest: object = {}): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'Pod', ...rest },
  metadata: { name, uid: `uid-of-Pod-${name}`, labels: selectorLabels('worker', 'foo') },
})
const pods = (count: number) => Array.from({ length: count }, (_, index) => `foo-${index}`)
const counted = (results: readonly StepResult[]) => ({
  done: results.filter(({ kind }) => kind === 'done').length,
  failed: results.filter(({ kind }) => kind === 'failed').length,
  skipped: results.filter(({ kind }) => kind === 'skipped').length,
})
const kindsOf = (results: readonly StepResult[]) => results.map(({ kind }) => kind)

describe('making workers prevents that', () => {
  test.each([
    { id: 'NS-108', wanted: 10, failsFrom: 1, attempts: 1, is: { done: 0, failed: 1, skipped: 9 } },
    { id: 'NS-109', wanted: 10, failsFrom: 6, attempts: 7, is: { done: 5, failed: 2, skipped: 3 } },
    { id: 'NS-264', wanted: 7, failsFrom: 3, attempts: 3, is: { done: 2, failed: 1, skipped: 4 } },
  ])('$id: a server that says no is asked $wanted times', async ({ wanted, failsFrom, attempts, is }) => {
    const { carryOut, requests } = startActing({
      refuse: (text, count) => (text.startsWith('create Pod') && count >= failsFrom ? 'InternalError' : undefined),
    })
    const results = await carryOut(pods(wanted).map((name) => create(name)))
    expect([requests('create Pod').length, counted(results)]).toEqual([attempts, is])
  })

  test('WP-25: one name that the server refuses keeps all others from being made, pass after pass', async () => {
    const refuse = (text: string) => (text === 'create Pod foo-0' ? ('AlreadyExists' as const) : undefined)
    const { carryOut } = startActing({ refuse })
    expect(counted(await carryOut(pods(10).map((name) => create(name))))).toEqual({ done: 9, failed: 1, skipped: 0 })
  })

  test('a template that the server refuses is sent for every worker', async () => {
    const { carryOut, requests } = startActing({ refuse: () => 'Invalid' })
    await carryOut(pods(100).map((name) => create(name)))
    expect(requests('create Pod').length).toBeLessThan(10)
  })

  test('NS-265: a namespace that ends is asked for every worker, pass after pass without a pause', async () => {
    const causes = [{ reason: 'NamespaceTerminating', field: '', message: 'it is being terminated' }]
    const refuse = (text: string) => (text.startsWith('create Pod') ? refusal('Forbidden', causes) : undefined)
    const { requests, pass } = startActing({ spec: { replicas: 7 }, refuse })
    expect((await pass()).kind).toBe('retry') // the queue waits longer each time, until the NodeSet itself is gone
    expect(requests('create Pod')).toHaveLength(1)
  })

  test('NS-100, NS-101, NS-103: what was just made is not seen, and made or counted once more', async () => {
    const { carryOut, world } = startActing()
    await carryOut([create('foo-0'), create('foo-1')])
    const made = pods(2).map((name) => world.caches.pods.get({ namespace: NAMESPACE, name })?.metadata.name)
    expect(made).toEqual(pods(2))
  })

  test('NS-100, NS-101: a whole pass makes a worker again that the pass before has just made, or deleted', async () => {
    const { pass, requests } = startActing({ spec: { replicas: 2 } })
    await pass()
    await pass()
    expect(requests('create Pod')).toEqual(['create Pod foo-0', 'create Pod foo-1'])
  })

  test('a pod whose creation got no answer is made again in each pass, for as long as the news of it is late', async () => {
    const at = startActing()
    await at.carryOut([create('foo-0')])
    const made = at.server.find('Pod', { name: 'foo-0' })
    const later = startActing({ refuse: (text) => (text.startsWith('create Pod') ? 'AlreadyExists' : undefined) })
    later.server.put({ ...made })
    expect(counted(await later.carryOut([create('foo-0')]))).toMatchObject({ done: 1 })
    expect(later.world.caches.pods.get({ namespace: NAMESPACE, name: 'foo-0' })).toBeDefined()
  })

  test('a pod of somebody else that has the name of a worker is taken for the worker', async () => {
    const { carryOut, server } = startActing({
      refuse: (text) => (text.startsWith('create Pod') ? 'AlreadyExists' : undefined),
    })
    server.put(pod('foo-0'))
    expect(counted(await carryOut([create('foo-0')]))).toMatchObject({ done: 0, failed: 1 })
  })

  test('a pod that is gone gets calls in each pass, for as long as the news of its end is late', async () => {
    const { carryOut, server, world } = startActing({ objects: [pod('foo-0')] })
    server.remove('Pod', { name: 'foo-0' })
    server.put(pod('another'))
    expect(kindsOf(await carryOut([uncordon('foo-0')]))).toEqual(['outdated'])
    expect(world.caches.pods.get({ namespace: NAMESPACE, name: 'foo-0' })).toBeUndefined()
  })

  test('NS-110, WP-01: one pod that is gone meanwhile keeps three others from being made', async () => {
    const { carryOut, requests } = startActing()
    const results = await carryOut([uncordon('gone-0'), ...pods(3).map((name) => create(name))])
    expect(requests()).toEqual(['patch Pod gone-0', ...pods(3).map((name) => `create Pod ${name}`)])
    expect(counted(results)).toEqual({ done: 3, failed: 0, skipped: 0 })
  })
})

describe('claims prevent that', () => {
  const spec = {
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }],
  } as const

  test('NS-196: a worker without its data is made', async () => {
    const refuse = (text: string) => (text.startsWith('create Persist') ? ('Forbidden' as const) : undefined)
    const { carryOut, requests, told } = startActing({ spec, refuse })
    expect(counted(await carryOut([create('foo-0', [claimOf('foo-0')])]))).toMatchObject({ failed: 1 })
    expect(requests()).toEqual(['create PersistentVolumeClaim data-foo-0'])
    expect(told).toMatchObject([{ type: 'Warning', reason: 'FailedCreate' }])
  })

  const own = (ownerReferences: readonly OwnerReference[]): Step => ({
    ...{ do: 'own-pvc', claim: 'data-foo-0', ownerReferences, ...common, chain: 'pod/foo-0' },
  })
  const [us, somebody] = ['us', 'somebody'].map((uid) => ({ apiVersion: 'v1', kind: 'Pod', name: 'x', uid }))
  const claim = (...ownerReferences: OwnerReference[]): KubeObject => ({
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim' },
    metadata: { name: 'data-foo-0', ownerReferences },
  })

  test('WP-07, WP-08: a pod is deleted although its claim could not be given to it, or taken from it', async () => {
    const refuse = (text: string) => (text.startsWith('patch Persist') ? ('Conflict' as const) : undefined)
    const { carryOut, requests } = startActing({ spec, objects: [claim(), pod('foo-0')], refuse })
    const results = await carryOut([own([]), { do: 'delete-pod', ...about('foo-0') }])
    expect([kindsOf(results), requests('delete')]).toEqual([['outdated', 'skipped'], []])
  })

  test('an owner that a claim has got since the plan was made is taken from it', async () => {
    const at = startActing({ spec, objects: [claim()] })
    const planned = new Map([['data-foo-0', { name: 'data-foo-0', terminating: false, ownerReferences: [] }]])
    at.put(claim(somebody as OwnerReference))
    const results = await at.carryOut([own([us as OwnerReference])], {
      picture: aPicture({ nowMs: at.clock.now(), claims: [...planned.values()] }),
    })
    expect([kindsOf(results), at.requests()]).toEqual([['outdated'], []])
  })

  test('a claim that somebody made without our labels is made again in each pass, and never goes', async () => {
    const { picture } = startActing({ spec, objects: [claim()] })
    expect([...(await picture()).claims.keys()]).toEqual(['data-foo-0'])
  })

  test('NS-191: nobody learns that a claim was made', async () => {
    const { carryOut, told } = startActing({ spec })
    await carryOut([
      create('foo-0', [claimOf('foo-0')]),
      { do: 'create-pvc', claim: claimOf('foo-1'), pod: 'foo-1', ...common, chain: 'claims/foo-1' },
    ])
    expect(told.map(({ reason, note }) => `${reason}: ${note}`).toSorted()).toEqual([
      'SuccessfulCreate: Created claim data-foo-1.',
      'SuccessfulCreate: Created pod foo-0 and claim data-foo-0.',
    ])
  })

  test('NS-197: a claim that somebody made in this moment keeps the worker from being made', async () => {
    const refuse = (text: string) => (text.startsWith('create Persist') ? ('AlreadyExists' as const) : undefined)
    const { carryOut, requests } = startActing({ spec, refuse })
    expect(counted(await carryOut([create('foo-0', [claimOf('foo-0')])]))).toMatchObject({ done: 1, failed: 0 })
    expect(requests('create Pod')).toEqual(['create Pod foo-0'])
  })
})

describe('becoming an owner prevents that', () => {
  const revision: KubeObject = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'foo-1' } }
  const adoptions: readonly { id: string; step: Step; object: KubeObject }[] = [
    {
      id: 'NS-083',
      step: { do: 'adopt-revision', name: 'foo-1', chain: 'revision/foo-1', ...common },
      object: revision,
    },
    { id: 'NS-092', step: { do: 'adopt-pod', ...about('foo-0') }, object: pod('foo-0') },
  ]
  test.each(adoptions)(
    '$id: a NodeSet that was made anew adopts what its predecessor saw',
    async ({ step, object }) => {
      const { carryOut, requests, server, world } = startActing({ objects: [object] })
      const seen = world.caches.nodeSets.get({ namespace: NAMESPACE, name: 'foo' })
      if (seen === undefined) throw new Error('there is no NodeSet')
      server.put({ ...seen, metadata: { ...seen.metadata, uid: 'another' } }) // the watch is late
      expect(await carryOut([step])).toMatchObject([{ kind: 'failed', error: { message: /made anew/ } }])
      expect(requests()).toEqual([])
    },
  )

  test.each(adoptions)('$id: what is nobody’s stays so', async ({ step, object }) => {
    const { carryOut, requests } = startActing({ objects: [object] })
    expect(counted(await carryOut([step]))).toMatchObject({ done: 1 })
    expect(requests('patch')).toHaveLength(1)
  })

  const goneOrAnother = [
    { name: 'is gone', answer: refusal('NotFound') },
    { name: 'is another one by now', answer: refusal('Invalid', [{ reason: '', field: 'metadata.uid', message: '' }]) },
  ]
  test.each(goneOrAnother)('NS-098: letting go of a pod that $name is an error', async ({ answer }) => {
    const { carryOut } = startActing({ objects: [pod('foo-0')], refuse: () => answer })
    expect(kindsOf(await carryOut([{ do: 'release-pod', ...about('foo-0') }]))).toEqual(['outdated'])
  })
})

describe('pods that fail prevent that', () => {
  type Mode = 'DaemonSet' | 'StatefulSet'
  const failed = (name: string, mode: Mode, uid = `uid-of-Pod-${name}`) => {
    const labels = { ...selectorLabels('worker', 'foo'), [labelKeys.scalingMode]: mode }
    const metadata = { name, uid, labels, generateName: 'foo-' }
    return { ...pod(name, { spec: { nodeName: 'n1' }, status: { phase: 'Failed' } }), metadata }
  }
  const deletionOf = (name: string): Step => ({ do: 'delete-pod', ...about(name), reason: 'PodFinished' })

  test.each([
    ['DaemonSet', 'foo-abc', 'foo-xyz'],
    ['StatefulSet', 'foo-0', 'foo-0'],
  ] as const)('NS-314: a failed pod (%s) is replaced again and again without a pause', async (mode, first, second) => {
    const { carryOut, workers, put } = startActing({ objects: [failed(first, mode)], spec: { scalingMode: mode } })
    await carryOut([deletionOf(first)])
    put(failed(second, mode, 'another'))
    expect(await workers()).toMatchObject([{ pod: second, failuresBefore: 1 }])
  })

  test('NS-314: a deletion that did not happen counts as a failure more', async () => {
    const { carryOut, workers } = startActing({ objects: [failed('foo-0', 'StatefulSet')], refuse: () => 'Conflict' })
    await carryOut([deletionOf('foo-0')])
    expect(await workers()).toMatchObject([{ pod: 'foo-0', failuresBefore: 0 }])
  })
})

describe('steps about pods prevent that', () => {
  const steps: readonly { id: string; step: Step; answer: 'NotFound' | 'Conflict' }[] = [
    { id: 'NS-220', step: uncordon('foo-0'), answer: 'NotFound' },
    { id: 'NS-334', step: uncordon('foo-0'), answer: 'Conflict' }, // whoever was faster wakes the loop
  ]
  test.each(steps)('$id: $step.do answered with $answer is an error', async ({ step, answer }) => {
    const { carryOut, told } = startActing({ objects: [pod('foo-0')], refuse: () => answer })
    expect(kindsOf(await carryOut([step]))).toEqual(['outdated'])
    expect(told.filter(({ type }) => type === 'Warning')).toEqual([])
  })

  test.each(['NotFound', 'Conflict'] as const)(
    'NS-299: a deletion that did not happen (%s) is an error, or told as a deletion',
    async (answer) => {
      const { carryOut, told } = startActing({ objects: [pod('foo-0')], refuse: () => answer })
      const deletion: Step = { do: 'delete-pod', ...about('foo-0') }
      expect(await carryOut([deletion])).toMatchObject([{ kind: 'late' }])
      expect(told).toEqual([])
    },
  )

  test('a pod that may be evicted keeps its protection, or loses more than that', async () => {
    const labels = { [labelKeys.podProtect]: 'true', [labelKeys.podHostname]: 'foo-0' }
    const { carryOut, server } = startActing({ objects: [{ ...pod('foo-0'), metadata: { name: 'foo-0', labels } }] })
    await carryOut([{ do: 'unprotect-pod', slurmName: 'foo-0', ...about('foo-0') }])
    expect(server.find('Pod', { name: 'foo-0' })?.metadata.labels).toEqual({ [labelKeys.podHostname]: 'foo-0' })
  })

  test('NS-473, WP-24: a worker that just became unready is written back as Ready', async () => {
    const ready = { conditions: [{ type: 'Ready', status: 'True' }] }
    const { carryOut, server } = startActing({ objects: [pod('foo-0', { status: ready })] })
    const set = [{ type: 'SlurmNodeStateIdle', status: 'True', message: '' }] as const
    await carryOut([{ do: 'set-pod-conditions', ...about('foo-0'), set, remove: ['SlurmNodeStateDrain'] }])
    const types = ['SlurmNodeStateIdle', 'SlurmNodeStateDrain'].map((type) => expect.objectContaining({ type }))
    expect(server.requests).toMatchObject([{ text: 'status Pod foo-0', body: { status: { conditions: types } } }])
  })
})

describe('finalizers prevent that', () => {
  const change = (what: 'add-finalizer' | 'remove-finalizer'): Step => ({
    ...{ do: what, finalizer: 'ours/f', chain: 'reservation', ...common },
  })
  const withFinalizers = (finalizers: readonly string[]) => {
    const at = startActing()
    const nodeSet = at.server.find('NodeSet', { name: 'foo' }) as KubeObject
    at.put({ ...nodeSet, metadata: { ...nodeSet.metadata, finalizers } })
    return { ...at, finalizers: () => at.server.find('NodeSet', { name: 'foo' })?.metadata.finalizers }
  }

  test('NS-052: one of somebody else goes with ours', async () => {
    const { carryOut, finalizers } = withFinalizers(['ours/f', 'other'])
    await carryOut([change('remove-finalizer')])
    expect(finalizers()).toEqual(['other'])
  })

  test('one that somebody added, or took away, while Slurm was asked is lost, or comes back', async () => {
    const { carryOut, finalizers, world, server } = withFinalizers(['ours/f', 'old'])
    const before = world.caches.nodeSets.get({ namespace: NAMESPACE, name: 'foo' })
    const nodeSet = server.find('NodeSet', { name: 'foo' }) as KubeObject
    world.caches.nodeSets.wrote(
      server.put({ ...nodeSet, metadata: { ...nodeSet.metadata, finalizers: ['ours/f', 'new'] } }) as never,
    )
    await carryOut([change('remove-finalizer')], { nodeSet: before as never })
    expect(finalizers()).toEqual(['new'])
  })

  test('a reservation is made although its finalizer could not be set', async () => {
    const { carryOut } = startActing({ refuse: (text) => (text.startsWith('patch NodeSet') ? 'Conflict' : undefined) })
    const wish = { name: 'SlurmOperatorMaint-foo' }
    const results = await carryOut([
      change('add-finalizer'),
      { do: 'create-reservation', wish, chain: 'reservation', ...common },
    ])
    expect(kindsOf(results)).toEqual(['outdated', 'skipped'])
  })
})

describe('a slow answer prevents that', () => {
  test('others leave, because what Slurm said is old by then', async () => {
    const { carryOut, clock, world } = startActing({ objects: [pod('foo-0'), pod('foo-1')] })
    const { resource } = world.client
    const slowPatch = () => clock.advance(5000).then(() => Promise.reject(new Error('a webhook does not answer')))
    Object.assign(world.client, { resource: (one: Resource<KubeObject>) => ({ ...resource(one), patch: slowPatch }) })
    const results = await carryOut([uncordon('foo-0'), { do: 'delete-pod', ...about('foo-1') }])
    expect(kindsOf(results)).toEqual(['failed', 'done'])
  })
})

describe('a step that fails prevents that', () => {
  const refuse = () => 'InternalError' as const

  test('NS-105: only the first of three failures is told', async () => {
    const { carryOut, told } = startActing({ objects: pods(3).map((name) => pod(name)), refuse })
    expect(counted(await carryOut(pods(3).map(uncordon)))).toEqual({ done: 0, failed: 3, skipped: 0 })
    expect(told.map(({ reason }) => reason)).toEqual(['SyncFailed', 'SyncFailed', 'SyncFailed'])
  })

  test('NS-106: what depends on it is done all the same', async () => {
    const { carryOut, requests, told } = startActing({ objects: [pod('foo-0')], refuse })
    const results = await carryOut([uncordon('foo-0'), { do: 'delete-pod', ...about('foo-0') }])
    expect(counted(results)).toEqual({ done: 0, failed: 1, skipped: 1 })
    expect([requests(), told.length]).toEqual([['patch Pod foo-0'], 1])
  })

  const features = (slurmName: string): Step => ({
    ...{ do: 'update-slurm-node', slurmName, chain: `slurm/${slurmName}`, ...common },
    change: { features: ['a'] },
  })
  test('NS-449: features that Slurm refuses count as set, or those of others are not set', async () => {
    const updateNodes = async (_names: readonly string[], _update: NodeUpdate) => ({
      ...{ done: ['foo-1'], missing: [] },
      failed: [{ name: 'foo-0', error: new SlurmError('refused', 'POST /node/foo-0', 'no such feature') }],
    })
    const connection = { client: { updateNodes } } as unknown as SlurmConnection
    const results = await startActing().carryOut([features('foo-0'), features('foo-1')], { connection })
    expect(results.map(({ kind }) => kind)).toEqual(['failed', 'done'])
  })

  test('an order that fails is given again with every list, or not tried again', async () => {
    let count = 0
    const updateNodes = () => ++count && Promise.reject(new SlurmError('unavailable', 'POST /node/foo-0', '500'))
    const connection = { client: { updateNodes } } as unknown as SlurmConnection
    const { carryOut, clock, told } = startActing()
    const again = () => carryOut([features('foo-0')], { connection })
    expect([await again(), await again()].flat().map(({ kind }) => kind)).toEqual(['failed', 'held'])
    await clock.advance(1000)
    expect((await again()).map(({ kind }) => kind)).toEqual(['failed'])
    expect([count, told.length]).toEqual([2, 2])
  })

  test('an order, or a deletion, rests on a look of long ago because a request before it took so long', async () => {
    const { carryOut, requests, clock } = startActing({ objects: [pod('foo-0')] })
    const picture = aPicture({ nowMs: clock.now() - 3000 })
    const drain: Step = { do: 'drain', slurmName: 'foo-1', drainReason: 'x', chain: 'pod/foo-1', ...common }
    const results = await carryOut([uncordon('foo-0'), { do: 'delete-pod', ...about('foo-0') }, drain], { picture })
    expect(results.map(({ kind, step }) => [step.do, kind])).toEqual([
      ['drain', 'late'],
      ['patch-pod', 'done'],
      ['delete-pod', 'late'],
    ])
    expect(requests('delete')).toEqual([])
  })

  test('what belongs to a NodeSet is made again and again, because the news of its end is late', async () => {
    const { carryOut, requests, server } = startActing({ objects: [pod('foo-1')] })
    server.remove('NodeSet', { name: 'foo' })
    const adoption: Step = { do: 'adopt-pod', ...about('foo-1') }
    const revision: Step = {
      do: 'create-revision',
      name: 'foo-1',
      hash: '1',
      number: 1,
      json: '{}',
      chain: 'r',
      ...common,
    }
    const results = await carryOut([adoption, revision])
    expect(counted(results)).toEqual({ done: 0, failed: 2, skipped: 0 })
    expect(requests()).toEqual([])
  })

  test.each([
    ['Slurm knows', { name: 'foo-0' }, { done: 0, failed: 1, skipped: 0 }],
    ['Slurm does not know', undefined, { done: 1, failed: 0, skipped: 0 }],
  ])('a pod is deleted because lists do not show its node, which %s by name', async (_which, found, expected) => {
    const connection = { client: { findNode: async () => found } } as unknown as SlurmConnection
    const { carryOut, requests } = startActing({ objects: [pod('foo-0')] })
    const deletion: Step = { do: 'delete-pod', unlistedAs: 'foo-0', ...about('foo-0') }
    const results = await carryOut([deletion], { connection })
    expect(counted(results)).toEqual(expected)
    expect(requests('delete').length).toBe(expected.done)
  })

  test('a pod that Slurm does not know stays for ever because Slurm needs seconds to say so', async () => {
    const { carryOut, requests, clock } = startActing({ objects: [pod('foo-0')] })
    const findNode = () => clock.advance(5000)
    const connection = { client: { findNode } } as unknown as SlurmConnection
    const picture = aPicture({ nowMs: clock.now() })
    await carryOut([{ do: 'delete-pod', unlistedAs: 'foo-0', ...about('foo-0') }], { connection, picture })
    expect(requests('delete').length).toBe(1)
  })
})
