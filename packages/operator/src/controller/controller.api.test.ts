import {
  accountingResource,
  controllerResource,
  nodeSetResource,
  type Accounting,
  type Controller,
  type ControllerSpec,
  type NodeSet,
} from '@slurm-operator/api'
import {
  configMapResource,
  podResource,
  secretResource,
  serviceResource,
  statefulSetResource,
  systemClock,
  type KubeObject,
  type Resource,
} from '@slurm-operator/kube'
import { Secret, SlurmRegistry } from '@slurm-operator/slurm'
import { createSimulatedSlurm, type SimulatedSlurm } from '@slurm-operator/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createComponentPass } from '../component/reconcile-component.ts'
import { createComponentLoop } from '../programs/create-loop.ts'
import { startBed, type Bed } from '../testing/bed.ts'
import { createNamespace, eventually, type RunningOperator } from '../testing/gen.ts'
import { startPod } from '../testing/start-pod.ts'
import { stillPass } from '../testing/still-world.ts'
import { untilReason } from '../testing/until-reason.ts'
import { aController } from './gen.ts'
import { controllerRoom } from './room.ts'
import { controllerSources } from './watch.ts'

let bed: Bed
let slurm: SimulatedSlurm
let operator: RunningOperator
let count = 0

beforeAll(async () => {
  bed = await startBed({ controllers: ['statefulset-controller'] })
  slurm = createSimulatedSlurm({ clock: systemClock })
  const registry = new SlurmRegistry({ openTransport: () => slurm.openTransport() })
  operator = await bed.run((world) => [createComponentLoop(world, controllerRoom, controllerSources(world))], {
    slurm: registry,
  })
})
afterAll(async () => {
  await bed?.[Symbol.asyncDispose]()
})

const controllers = () => bed.client.resource(controllerResource)
const of = <T extends KubeObject>(resource: Resource<T>) => bed.client.resource(resource)

async function createKeys(namespace: string): Promise<void> {
  for (const [name, key] of [
    ['slurm-key', 'slurm.key'],
    ['jwt-key', 'jwt.key'],
  ] as const) {
    await of(secretResource).create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      stringData: { [key]: 'x' },
    })
  }
}

/** A Controller in a namespace of its own. */
async function prepare(
  spec: Partial<ControllerSpec> = {},
  annotations: Readonly<Record<string, string>> = {},
): Promise<string> {
  const namespace = await createNamespace(bed.client, `controller-${++count}`)
  if (annotations['slinky.slurm.net/generate-keys'] === undefined) await createKeys(namespace)
  const wanted: Controller = aController(spec, { namespace, annotations })
  await controllers().create(wanted)
  return namespace
}

const condition = async (namespace: string, type = 'Ready') => {
  const { status } = await controllers().get({ namespace, name: 'prod' })
  return status?.conditions?.find((line) => line.type === type)
}
const says = (namespace: string, reason: string, type = 'Ready') =>
  untilReason(controllers(), { namespace, name: 'prod' }, reason, type)
const there = <T extends KubeObject>(resource: Resource<T>, namespace: string, name: string) =>
  eventually(`${resource.kind} ${name}`, () => of(resource).find({ namespace, name }))
const gone = <T extends KubeObject>(resource: Resource<T>, namespace: string, name: string) =>
  eventually(`the end of ${resource.kind} ${name}`, async () => {
    const found = await of(resource).find({ namespace, name })
    return found === undefined || undefined
  })
const slurmConf = async (namespace: string) =>
  (await of(configMapResource).find({ namespace, name: 'prod-config' }))?.data?.['slurm.conf'] ?? ''

const startSlurmctld = (namespace: string) => startPod(bed.client, { namespace, name: 'prod-controller-0' })

const nodeSet = (namespace: string, name: string): NodeSet => ({
  apiVersion: 'slinky.slurm.net/v1beta1',
  kind: 'NodeSet',
  metadata: { name, namespace },
  spec: { controllerRef: { name: 'prod' }, partition: { enabled: true, config: 'State=UP' } },
})

/** A Slurm that answers for this Controller. */
function connect(namespace: string): void {
  const token = { kind: 'given', token: new Secret(slurm.token()) } as const
  operator.world.slurm.ensure(`${namespace}/prod`, { endpoints: [`http://slurm.${namespace}`], token })
}
const reconfigures = () => slurm.requests.filter(({ line }) => line.includes('reconfigure')).length

describe('Controllers on a real API server prevent that', () => {
  test('a Controller stands without slurmctld, or says that it is ready before it is', async () => {
    const namespace = await prepare()
    await says(namespace, 'Starting')
    await startSlurmctld(namespace)
    const ready = await says(namespace, 'Ready')
    expect(ready.status).toBe('True')
    expect((await controllers().get({ namespace, name: 'prod' })).status?.observedGeneration).toBe(1)
    expect(await condition(namespace, 'SlurmReachable')).toMatchObject({ status: 'Unknown', reason: 'NoConnection' })
    expect(await condition(namespace, 'ConfigurationApplied')).toMatchObject({ status: 'True', reason: 'ReadAtStart' })
  })

  test('what somebody edited or deleted stays so', async () => {
    const namespace = await prepare()
    await there(statefulSetResource, namespace, 'prod-controller')
    const before = await slurmConf(namespace)
    const key = { namespace, name: 'prod-config' }
    await of(configMapResource).patch(key, { type: 'merge', body: { data: { 'slurm.conf': 'broken' } } })
    await eventually('the file to be right', async () => (await slurmConf(namespace)) === before || undefined)
    const { metadata } = await of(serviceResource).get({ namespace, name: 'prod-controller' })
    await of(serviceResource).delete({ namespace, name: 'prod-controller' })
    await eventually('another Service', async () => {
      const found = await of(serviceResource).find({ namespace, name: 'prod-controller' })
      return found !== undefined && found.metadata.uid !== metadata.uid ? true : undefined
    })
  })

  test('a new NodeSet restarts slurmctld, or slurmctld is never told of it', async () => {
    const namespace = await prepare()
    connect(namespace)
    await startSlurmctld(namespace)
    await says(namespace, 'Applied', 'ConfigurationApplied')
    const asked = reconfigures()
    const { metadata } = await of(statefulSetResource).get({ namespace, name: 'prod-controller' })
    await of(nodeSetResource).create(nodeSet(namespace, 'gpu'))
    await eventually(
      'the partition',
      async () => (await slurmConf(namespace)).includes('PartitionName=gpu') || undefined,
    )
    await eventually('a question', () => (reconfigures() > asked ? true : undefined))
    expect(reconfigures()).toBe(asked + 1)
    await says(namespace, 'Reconfigured', 'ConfigurationApplied')
    const after = await of(statefulSetResource).get({ namespace, name: 'prod-controller' })
    expect(after.metadata.generation).toBe(metadata.generation)
    await of(nodeSetResource).delete({ namespace, name: 'gpu' })
    await eventually('its end', async () => !(await slurmConf(namespace)).includes('gpu') || undefined)
  })

  test('a reference that does not exist turns accounting off, or its arrival goes unnoticed', async () => {
    const namespace = await prepare({ accountingRef: { name: 'books' } })
    expect((await says(namespace, 'WaitingForReference')).message).toContain('Accounting books')
    expect(await of(configMapResource).find({ namespace, name: 'prod-config' })).toBeUndefined()
    const books: Accounting = {
      apiVersion: 'slinky.slurm.net/v1beta1',
      kind: 'Accounting',
      metadata: { name: 'books', namespace },
      spec: { external: true, externalConfig: { host: 'dbd.example.com', port: 7819 } },
    }
    await of(accountingResource).create(books)
    await eventually('accounting', async () => (await slurmConf(namespace)).includes('dbd.example.com') || undefined)
  })

  test('a Secret or a script changes, and nobody notices', async () => {
    const namespace = await prepare({ prologScriptRefs: [{ name: 'scripts' }] })
    expect((await says(namespace, 'WaitingForReference')).message).toContain('ConfigMap scripts')
    const scripts = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'scripts', namespace },
      data: { 'a.sh': '1' },
    } as const
    await of(configMapResource).create(scripts)
    await startSlurmctld(namespace)
    const hashOf = async () =>
      (await of(podResource).get({ namespace, name: 'prod-controller-0' })).metadata.annotations?.[
        'slinky.slurm.net/slurm-config-hash'
      ]
    const before = await eventually('a hash', hashOf)
    await of(configMapResource).patch(
      { namespace, name: 'scripts' },
      { type: 'merge', body: { data: { 'a.sh': '2' } } },
    )
    await eventually('another hash', async () => ((await hashOf()) === before ? undefined : true))
    const template = async () =>
      (await of(statefulSetResource).get({ namespace, name: 'prod-controller' })).spec?.template.metadata?.annotations
    const [first] = [await template()]
    await of(secretResource).patch(
      { namespace, name: 'slurm-key' },
      { type: 'merge', body: { stringData: { 'slurm.key': 'y' } } },
    )
    await eventually('another key', async () => {
      const now = await template()
      return now?.['slinky.slurm.net/slurm-key-hash'] === first?.['slinky.slurm.net/slurm-key-hash'] ? undefined : true
    })
  })

  test('keys are made anew with each pass, or not at all', async () => {
    const namespace = await prepare({}, { 'slinky.slurm.net/generate-keys': 'true' })
    const made = await there(secretResource, namespace, 'slurm-key')
    await there(statefulSetResource, namespace, 'prod-controller')
    expect(made.immutable).toBe(true)
    await controllers().patch(
      { namespace, name: 'prod' },
      { type: 'merge', body: { spec: { extraConf: 'DebugFlags=Agent' } } },
    )
    await eventually('the setting', async () => (await slurmConf(namespace)).includes('DebugFlags') || undefined)
    expect((await of(secretResource).get({ namespace, name: 'slurm-key' })).metadata.resourceVersion).toBe(
      made.metadata.resourceVersion,
    )
  })

  test('a slurmctld that has moved out leaves its Services and pods behind', async () => {
    const namespace = await prepare()
    await there(statefulSetResource, namespace, 'prod-controller')
    const outside = { external: true, externalConfig: { host: 'ctl.example.com', port: 6817 } }
    await controllers().patch({ namespace, name: 'prod' }, { type: 'merge', body: { spec: outside } })
    await gone(statefulSetResource, namespace, 'prod-controller')
    await gone(serviceResource, namespace, 'prod-controller')
    await gone(serviceResource, namespace, 'prod-controller-internal')
    expect((await says(namespace, 'External')).status).toBe('True')
    await eventually(
      'its small file',
      async () => (await slurmConf(namespace)).includes('ctl.example.com') || undefined,
    )
    expect(await condition(namespace, 'ConfigurationApplied')).toBeUndefined()
  })

  test('an object of somebody else is taken over', async () => {
    const namespace = await createNamespace(bed.client, `controller-${++count}`)
    await createKeys(namespace)
    const theirs = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'prod-config', namespace },
      data: { a: 'b' },
    } as const
    await of(configMapResource).create(theirs)
    await controllers().create(aController({}, { namespace }))
    expect((await says(namespace, 'ObjectNotOurs')).message).toContain('prod-config')
    expect((await of(configMapResource).get({ namespace, name: 'prod-config' })).data).toEqual({ a: 'b' })
  })

  test('a corrected spec does not reach a pod that never became ready', async () => {
    const namespace = await prepare({ slurmctld: { image: 'wrong:1' } })
    const { metadata } = await there(podResource, namespace, 'prod-controller-0')
    const body = { spec: { slurmctld: { image: 'right:1' } } }
    await controllers().patch({ namespace, name: 'prod' }, { type: 'merge', body })
    await eventually('another pod', async () => {
      // There is no kubelet to end a pod that was told to end.
      const pod = await of(podResource).find({ namespace, name: 'prod-controller-0' })
      if (pod?.metadata.deletionTimestamp !== undefined)
        await of(podResource)
          .delete({ namespace, name: 'prod-controller-0' }, { gracePeriodSeconds: 0 })
          .catch(() => undefined)
      return pod !== undefined && pod.metadata.uid !== metadata.uid && pod.spec?.containers[0]?.image === 'right:1'
        ? true
        : undefined
    })
  })

  test('at rest something is written', async () => {
    const namespace = await prepare()
    connect(namespace)
    await startSlurmctld(namespace)
    await says(namespace, 'Ready')
    await says(namespace, 'Applied', 'ConfigurationApplied')
    const versions = async () => {
      const lists = await Promise.all([
        controllers().list({ namespace }),
        of(configMapResource).list({ namespace }),
        of(serviceResource).list({ namespace }),
        of(statefulSetResource).list({ namespace }),
        of(podResource).list({ namespace }),
      ])
      return lists.flatMap(({ items }) => items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`))
    }
    const reconcile = createComponentPass(controllerRoom, operator.world)
    await reconcile({ namespace, name: 'prod' }, stillPass)
    const before = await versions()
    for (let pass = 0; pass < 3; pass++) await reconcile({ namespace, name: 'prod' }, stillPass)
    expect(await versions()).toEqual(before)
  })

  // The answer to the deletion of a Service is the Service; folded into the cache behind its end, it stayed there for ever.
  test('a slurmctld that has come back finds its Services gone', async () => {
    const outside = { external: true, externalConfig: { host: 'ctl.example.com', port: 6817 } }
    const namespace = await prepare()
    await there(serviceResource, namespace, 'prod-controller')
    await controllers().patch({ namespace, name: 'prod' }, { type: 'merge', body: { spec: outside } })
    await gone(serviceResource, namespace, 'prod-controller')
    const inside = { external: false, externalConfig: null }
    await controllers().patch({ namespace, name: 'prod' }, { type: 'merge', body: { spec: inside } })
    await there(statefulSetResource, namespace, 'prod-controller')
    await there(serviceResource, namespace, 'prod-controller')
  })
})
