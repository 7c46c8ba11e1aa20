import { hashAnnotations } from '@slurm-operator/api'
import { KubeError, type KubeObject } from '@slurm-operator/kube'
import { SlurmError, type SlurmClient, type SlurmConnection } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { actController } from './act.ts'
import { aController, anObject, aPod, aStatefulSet, child, keys, NOW, pass, type PodTraits } from './gen.ts'
import { judgeController } from './judge.ts'
import { configAnnotations } from './pod-configuration.ts'

const settledHealth = { state: 'reachable', sinceMs: NOW, activeController: 'prod-controller-0', controllers: [] }

/** A Slurm that answers, and notes what it was asked. */
function aSlurm(client: Partial<SlurmClient> = {}, health: object = {}) {
  const asked: string[] = []
  const note =
    <T>(name: string, answer: () => T) =>
    async () => {
      asked.push(name)
      return answer()
    }
  const connection = {
    health: () => ({ ...settledHealth, ...health }),
    view: { nodes: () => ({ kind: 'unknown' }), jobs: () => ({ kind: 'unknown' }) },
    retryNow: () => void asked.push('retry'),
    client: {
      ping: note('ping', () => []),
      reconfigure: note('reconfigure', () => undefined),
      readConfiguration: note('conf', () => ({ values: { reconfigured: asked.includes('reconfigure') } })),
      listPartitions: note('partitions', () => ({ kind: 'unchanged' })),
      ...client,
    },
  }
  return { connection: connection as unknown as Partial<SlurmConnection>, asked }
}

/** A Controller that stands, with these pods. */
async function standing(
  traits: readonly PodTraits[],
  more: Parameters<typeof pass>[2] & { readonly spec?: object } = {},
) {
  const { spec, ...options } = more
  const controller = aController(spec)
  const first = await pass(controller)
  const config = child<KubeObject>(first.wish.children, 'ConfigMap', 'prod-config')
  const claim = anObject('PersistentVolumeClaim', 'statesave-prod-controller-0', {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '4Gi' } } },
  })
  const objects = [...keys, config, claim, aStatefulSet({}, traits.length), ...traits.map(aPod)]
  return pass(controller, objects, { nowMs: NOW, ...options })
}

const podAnnotations = (found: KubeObject | undefined) => found?.metadata.annotations ?? {}
const told = (hash: string, at: string) => ({ [configAnnotations.hash]: hash, [configAnnotations.toldAt]: at })

describe('a changed configuration', () => {
  test('the pods do not learn of it, or the kubelet does not', async () => {
    const still = await standing([{}], aSlurm())
    await actController(still.at, still.facts)
    expect(still.requests).toEqual(['patch Pod prod-controller-0'])
    expect(podAnnotations(still.find('Pod', 'prod-controller-0'))).toMatchObject({
      [hashAnnotations.slurmConfig]: expect.stringMatching(/^[0-9a-f]{64}$/),
      [configAnnotations.toldAt]: '2026-06-01T12:00:00Z',
    })
  })

  async function toldPod(more: object = {}) {
    const first = await standing([{}])
    await actController(first.at, first.facts)
    const hash = podAnnotations(first.find('Pod', 'prod-controller-0'))[configAnnotations.hash] ?? ''
    return { annotations: { ...told(hash, '2026-06-01T11:59:50Z'), [configAnnotations.used]: 'old', ...more } }
  }

  test('slurmctld is not asked, or nobody notes that it took it', async () => {
    const slurm = aSlurm()
    const still = await standing([await toldPod()], slurm)
    await actController(still.at, still.facts)
    expect(slurm.asked).toEqual(['conf', 'partitions', 'reconfigure', 'conf', 'partitions'])
    const { used, hash } = configAnnotations
    const annotations = podAnnotations(still.find('Pod', 'prod-controller-0'))
    expect(annotations[used]).toBe(annotations[hash])
    expect(judgeController(still.at, still.facts).conditions).toContainEqual(
      expect.objectContaining({ type: 'ConfigurationApplied', status: 'True', reason: 'Applied' }),
    )
  })

  test('an old release tells nothing, and new files are taken for granted', async () => {
    const slurm = aSlurm({ readConfiguration: async () => Promise.reject(new Error('404')) })
    const still = await standing([await toldPod()], slurm)
    await actController(still.at, still.facts)
    expect(podAnnotations(still.find('Pod', 'prod-controller-0'))[configAnnotations.used]).toBe('old')
    expect(judgeController(still.at, still.facts).conditions).toContainEqual(
      expect.objectContaining({ type: 'ConfigurationApplied', reason: 'Reconfigured' }),
    )
  })

  test('the words of a refusal are lost', async () => {
    const refusal = new SlurmError('refused', 'GET /reconfigure/', 'Invalid partition name specified')
    const slurm = aSlurm({ reconfigure: async () => Promise.reject(refusal) })
    const still = await standing([await toldPod()], slurm)
    await actController(still.at, still.facts)
    expect(judgeController(still.at, still.facts).conditions).toContainEqual(
      expect.objectContaining({
        type: 'ConfigurationApplied',
        status: 'False',
        reason: 'ConfigurationRefused',
        message: expect.stringContaining('Invalid partition name specified'),
      }),
    )
  })

  test('silence counts as a refusal', async () => {
    const silence = new SlurmError('unavailable', 'GET /reconfigure/', 'no answer')
    const slurm = aSlurm({ reconfigure: async () => Promise.reject(silence) })
    const still = await standing([await toldPod()], slurm)
    const { outcome } = await actController(still.at, still.facts)
    expect(outcome.kind).toBe('look-again')
    expect(still.requests).toEqual([])
  })

  test('a configuration that was not written is asked for', async () => {
    const slurm = aSlurm()
    const still = await standing([{}], slurm)
    still.put(anObject('ConfigMap', 'prod-config', { data: { 'slurm.conf': 'old' } }))
    await actController(still.at, still.facts)
    expect({ asked: slurm.asked, requests: still.requests }).toEqual({ asked: [], requests: [] })
  })

  test('the operator asks while the sidecar does', async () => {
    const slurm = aSlurm()
    const spec = { inplaceReconfigure: true, reconfigure: { image: 'slurmctld:1' } }
    const still = await standing([await toldPod()], { ...slurm, spec })
    await actController(still.at, still.facts)
    expect(slurm.asked).toEqual([])
  })
})

describe('pods', () => {
  test('at rest something is written', async () => {
    const slurm = aSlurm()
    const first = await standing([{}])
    await actController(first.at, first.facts)
    const hash = podAnnotations(first.find('Pod', 'prod-controller-0'))[configAnnotations.hash] ?? ''
    const annotations = { ...told(hash, '2026-06-01T10:00:00Z'), [configAnnotations.used]: hash }
    const still = await standing([{ annotations }], slurm)
    const { outcome } = await actController(still.at, still.facts)
    expect({ outcome, requests: still.requests, asked: slurm.asked }).toEqual({
      outcome: { kind: 'settled' },
      requests: [],
      asked: [],
    })
  })

  test('the mark is taken from the old one before the new one has it', async () => {
    const slurm = aSlurm({}, { activeController: 'prod-controller-1' })
    const still = await standing([{ ordinal: 0 }, { ordinal: 1, marked: false }], slurm)
    await actController(still.at, still.facts)
    expect(still.requests.slice(0, 2)).toEqual(['patch Pod prod-controller-1', 'patch Pod prod-controller-0'])
  })

  test('traffic goes on to a primary that Slurm finds silent', async () => {
    const controllers = [
      { hostname: 'prod-controller-0', responding: false },
      { hostname: 'prod-controller-1', responding: true },
    ]
    const slurm = aSlurm({}, { state: 'unreachable', controllers })
    const still = await standing([{ ordinal: 0 }, { ordinal: 1, marked: false }], slurm)
    await actController(still.at, still.facts)
    expect(still.requests.slice(0, 2)).toEqual(['patch Pod prod-controller-1', 'patch Pod prod-controller-0'])
  })

  test('nobody asks Slurm when a primary is back, or a ping that fails stops the rest', async () => {
    const controllers = ['prod-controller-0', 'prod-controller-1'].map((hostname) => ({
      hostname,
      pingedAtMs: NOW - 9000,
    }))
    const pods = [
      { ordinal: 0, readySince: '2026-06-01T11:59:58Z' },
      { ordinal: 1, marked: false },
    ]
    const slurm = aSlurm({}, { controllers })
    const still = await standing(pods, slurm)
    await actController(still.at, still.facts)
    expect(slurm.asked.slice(0, 2)).toEqual(['retry', 'ping'])
    const ping = async () => Promise.reject(new SlurmError('unavailable', 'GET /ping/', 'no answer'))
    const silent = await standing(pods, aSlurm({ ping }, { controllers }))
    await actController(silent.at, silent.facts)
    expect(silent.requests).toContain('patch Pod prod-controller-0')
  })

  test('a corrected spec does not reach a crashing pod', async () => {
    const still = await standing([{ ready: false, revision: 'old' }])
    await actController(still.at, still.facts)
    expect(still.requests).toContain('delete Pod prod-controller-0')
  })

  test('one failure keeps everything else from being done', async () => {
    const refuse = (request: string) =>
      request.startsWith('delete') ? new KubeError({ reason: 'InternalError', request, detail: 'boom' }) : undefined
    const still = await standing([{ ready: false, revision: 'old' }], { refuse })
    const { outcome } = await actController(still.at, still.facts)
    expect(outcome.kind).toBe('retry')
    expect(still.requests).toEqual(['delete Pod prod-controller-0', 'patch Pod prod-controller-0'])
  })
})

describe('the claim', () => {
  const bigger = { persistence: { enabled: true, resources: { requests: { storage: '9Gi' } } } }

  test('a larger size is ignored', async () => {
    const still = await standing([], { spec: bigger })
    const { conditions } = await actController(still.at, still.facts)
    expect(still.requests).toContain('patch PersistentVolumeClaim statesave-prod-controller-0')
    expect(still.find('PersistentVolumeClaim', 'statesave-prod-controller-0')).toMatchObject({
      spec: { resources: { requests: { storage: '9Gi' } } },
    })
    expect(conditions).toMatchObject([{ type: 'ClaimCurrent', status: 'False', reason: 'ClaimGrowing' }])
  })

  test('a class that cannot grow is not told', async () => {
    const refuse = (request: string) =>
      request.includes('PersistentVolumeClaim')
        ? new KubeError({ reason: 'Forbidden', request, detail: 'only dynamically provisioned pvc can be resized' })
        : undefined
    const still = await standing([], { spec: bigger, refuse })
    const { outcome, conditions } = await actController(still.at, still.facts)
    expect(outcome.kind).toBe('settled')
    expect(conditions).toMatchObject([
      { reason: 'ClaimCannotGrow', message: expect.stringContaining('only dynamically') },
    ])
  })
})

test('a StatefulSet of an older release takes its pods with it', async () => {
  const still = await standing([{}])
  const former = aStatefulSet()
  const owner = {
    apiVersion: 'slinky.slurm.net/v1beta1',
    kind: 'Controller',
    name: 'prod',
    uid: still.at.object.metadata.uid,
    controller: true,
  }
  still.put({
    ...former,
    metadata: { ...former.metadata, ownerReferences: [owner] },
    spec: { ...former.spec, serviceName: 'prod-controller' },
  })
  await actController(still.at, still.facts)
  expect(still.requests).toContain('delete StatefulSet prod-controller')
})

test('an external Controller labels pods of somebody else', async () => {
  const outside = aController({ external: true, externalConfig: { host: 'ctl', port: 6817 } })
  const still = await pass(outside, [aPod({ marked: false })])
  expect(await actController(still.at, still.facts)).toEqual({ outcome: { kind: 'settled' }, conditions: [] })
  expect(still.requests).toEqual([])
  expect(judgeController(still.at, still.facts).state).toMatchObject({ kind: 'ready', reason: 'External' })
})
