import { nodeSetResource, restApiResource } from '@slurm-operator/api'
import {
  controllerRevisionResource,
  deploymentResource,
  podResource,
  replicaSetResource,
  type Deployment,
  type KubeObject,
  type Live,
} from '@slurm-operator/kube'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ADOPTED_TEMPLATE } from '../component/adapt-to-live.ts'
import { allLoops, startBed, type Bed } from '../testing/bed.ts'
import { createNamespace, eventually } from '../testing/gen.ts'
import { hasRecordings, RECORDINGS_WANTED } from '../testing/recorded-cases.ts'
import { childResources } from '../testing/child-resources.ts'
import { FORMER_MANAGER, leaveBehind } from './left-by-others.ts'

const cases = ['restapi-accounting', 'loginset-ssh', 'nodeset-claims', 'nodeset-ssh', 'token-defaults', 'chart-workers']
const controllers = ['statefulset', 'deployment', 'replicaset', 'garbage-collector', 'disruption', 'namespace']
const SETTLED_WITHIN_MS = 90_000

let bed: Bed
const before = new Map<string, readonly Live<KubeObject>[]>()
const after = new Map<string, readonly Live<KubeObject>[]>()
const replicaSets = new Map<string, Awaited<ReturnType<typeof listReplicaSets>>>()

/** All children of all kinds in a namespace. */
const listAll = async (namespace: string): Promise<Live<KubeObject>[]> => {
  const lists = childResources.map(async (resource) => {
    const { items } = await bed.client.resource(resource).list({ namespace })
    return items.map((item) => ({ ...item, kind: resource.kind }))
  })
  return (await Promise.all(lists)).flat()
}
const nameOf = ({ kind, metadata }: Live<KubeObject>) => `${kind}/${metadata.name}`
const ofKind = (objects: readonly Live<KubeObject>[] | undefined, ...kinds: readonly string[]) =>
  (objects ?? []).filter(({ kind }) => kinds.includes(kind)).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
const listReplicaSets = async (namespace: string) => {
  const { items } = await bed.client.resource(replicaSetResource).list({ namespace })
  return items.map(({ metadata, spec }) => ({ name: metadata.name, uid: metadata.uid, replicas: spec?.replicas }))
}
const isChild = ({ metadata }: Live<KubeObject>) =>
  (metadata.ownerReferences ?? []).some(({ apiVersion }) => apiVersion.startsWith('slinky.slurm.net/'))

/** The state after nothing has changed for several looks. */
const settled = async (namespace: string) => {
  let [last, calm] = ['', 0]
  return eventually(
    `${namespace} to come to rest`,
    async () => {
      const objects = await listAll(namespace)
      const now = objects.map((one) => `${nameOf(one)}@${one.metadata.resourceVersion}`).join()
      calm = now === last ? calm + 1 : 0
      last = now
      return calm >= 10 ? objects : undefined
    },
    SETTLED_WITHIN_MS,
  )
}

/** Play the kubelet: all pods run well. */
const startPods = async (namespace: string) => {
  const pods = bed.client.resource(podResource)
  const { items } = await pods.list({ namespace })
  const conditions = ['PodScheduled', 'Initialized', 'ContainersReady', 'Ready'].map((type) => ({
    type,
    status: 'True',
  }))
  const body = { status: { phase: 'Running', conditions } }
  for (const { metadata } of items) await pods.status.patch(metadata, { type: 'strategic', body })
}

/** Whether our operator has taken over everything in a namespace that was left to it. */
const isAdopted = (objects: readonly Live<KubeObject>[]) =>
  objects.filter(isChild).every(({ kind, metadata }) => {
    const entries = metadata.managedFields ?? []
    const isLeft = entries.some(({ manager, operation }) => manager === FORMER_MANAGER && operation === 'Update')
    return kind === 'Pod' || kind === 'ControllerRevision' || !isLeft
  })

describe('taking over a cluster prevents that', () => {
  beforeEach(({ skip }) => skip(!hasRecordings, RECORDINGS_WANTED))
  beforeAll(async () => {
    if (!hasRecordings) return
    bed = await startBed({ controllers: controllers.map((name) => `${name}-controller`) })
    for (const name of cases) {
      await createNamespace(bed.client, name)
      await leaveBehind(bed.client, name)
    }
    for (const name of cases) {
      await settled(name)
      await startPods(name)
      before.set(name, await settled(name))
      replicaSets.set(name, await listReplicaSets(name))
    }
    await bed.run(allLoops)
    for (const name of cases) {
      await eventually(`${name} to be ours`, async () => isAdopted(await listAll(name)) || undefined, SETTLED_WITHIN_MS)
      after.set(name, await settled(name))
    }
  })
  afterAll(async () => {
    await bed?.[Symbol.asyncDispose]()
  })

  test.each(cases)('a pod is deleted, replaced or made anew (%s)', (name) => {
    const pods = (objects: typeof before) =>
      ofKind(objects.get(name), 'Pod').map((pod) => [nameOf(pod), pod.metadata.uid])
    expect(pods(after)).toEqual(pods(before))
    expect(pods(before).length > 0).toBe(name !== 'token-defaults')
  })

  test.each(cases)('a workload starts a rollout (%s)', async (name) => {
    const workloads = (objects: typeof before) =>
      ofKind(objects.get(name), 'StatefulSet', 'Deployment').map((one) => ({
        ...{ name: nameOf(one), uid: one.metadata.uid },
        // That of a Deployment also counts its annotations; whether it rolls out, its ReplicaSets tell.
        generation: one.kind === 'StatefulSet' ? one.metadata.generation : undefined,
        template: (one as unknown as { spec: { template: object } }).spec.template,
      }))
    expect(workloads(after)).toEqual(workloads(before))
    expect(await listReplicaSets(name)).toEqual(replicaSets.get(name))
  })

  test.each(cases)('an object is lost, or a label by which people find it (%s)', (name) => {
    const mine = new Map(after.get(name)?.map((one) => [nameOf(one), one]))
    const lost = (before.get(name) ?? []).flatMap((one) => {
      const labels = mine.get(nameOf(one))?.metadata.labels
      if (!mine.has(nameOf(one))) return [nameOf(one)]
      return Object.keys(one.metadata.labels ?? {}).flatMap((key) =>
        key in (labels ?? {}) ? [] : [`${nameOf(one)} ${key}`],
      )
    })
    expect(lost).toEqual([])
  })

  test.each(['nodeset-claims', 'nodeset-ssh', 'chart-workers'])('workers get a new revision (%s)', async (name) => {
    const revisions = (objects: typeof before) =>
      ofKind(objects.get(name), 'ControllerRevision')
        .filter(isChild)
        .map(({ metadata }) => metadata.name)
    expect(revisions(after)).toEqual(revisions(before))
    const { items } = await bed.client.resource(nodeSetResource).list({ namespace: name })
    const { items: all } = await bed.client.resource(controllerRevisionResource).list({ namespace: name })
    for (const { metadata, status } of items) {
      expect(all.map((one) => one.metadata.name)).toContain(`${metadata.name}-${status?.nodeSetHash ?? ''}`)
    }
  })

  test('a valid token is replaced', () => {
    const token = (objects: typeof before) => ofKind(objects.get('token-defaults'), 'Secret')
    const data = (objects: typeof before) => token(objects).map((one) => (one as { data?: object }).data)
    expect(data(after)).toEqual(data(before))
    expect(token(after).flatMap(({ metadata }) => metadata.ownerReferences?.map(({ kind }) => kind) ?? [])).toEqual([
      'Token',
    ])
  })

  test('what the user takes out later stays, because the former operator had set it', async () => {
    const namespace = 'restapi-accounting'
    const deployments = bed.client.resource(deploymentResource)
    const read = () => deployments.get({ namespace, name: 'web-restapi' })
    const variables = ({ spec }: Deployment) => spec?.template.spec?.containers[0]?.env?.map(({ name }) => name)
    const held = await read()
    expect(held.metadata.annotations).toHaveProperty([ADOPTED_TEMPLATE])
    expect(variables(held)).toContain('NEW')
    const body = { spec: { slurmrestd: { env: [{ name: 'SLURMRESTD_SECURITY', value: 'mine' }] } } }
    await bed.client.resource(restApiResource).patch({ namespace, name: 'web' }, { type: 'merge', body })
    const now = await eventually('our own template', async () => {
      const found = await read()
      return ADOPTED_TEMPLATE in (found.metadata.annotations ?? {}) ? undefined : found
    })
    expect(variables(now)).toEqual(['SLURM_JWT', 'SLURMRESTD_SECURITY'])
    expect(now.spec?.template.metadata?.annotations).toHaveProperty(['slinky.slurm.net/slurm-key-hash'])
  })
})
