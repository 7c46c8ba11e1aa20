import { describe, expect, test } from 'vitest'
import { loadSettings } from '../config/load-settings.ts'
import { isConflict } from '../errors/kube-error.ts'
import type { ConfigMap, Node } from '../types/generated/core-v1.ts'
import {
  configMapResource,
  nodeResource,
  podDisruptionBudgetResource,
  podResource,
  serviceAccountResource,
  statefulSetResource,
} from '../types/generated/resources.ts'
import { createClient } from './client.ts'
import { startRealServer } from './real/gen.ts'
import { configMap, createMany, failureOf, newNamespace, pod } from './gen.ts'
import { keyOf } from './resource.ts'

const { api, client } = await startRealServer()

describe('objects', () => {
  test('live from create to delete', async () => {
    const maps = client.resource(configMapResource)
    const namespace = await newNamespace(client)
    const created = await maps.create(configMap(namespace, 'one', { a: '1' }))
    const key = keyOf(created)
    expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/)
    const updated = await maps.update({ ...created, data: { a: '2' } })
    expect((await maps.get(key)).data).toEqual({ a: '2' })
    expect(isConflict(await failureOf(maps.update({ ...created, data: { a: '3' } })))).toBe(true)
    await maps.patch(key, { type: 'merge', body: { data: { b: '1', a: null } } })
    await maps.patch(key, {
      type: 'json',
      operations: [
        { op: 'test', path: '/data/b', value: '1' },
        { op: 'add', path: '/data/c', value: '3' },
      ],
    })
    expect((await maps.get(key)).data).toEqual({ b: '1', c: '3' })
    expect(await maps.delete(key, { preconditions: { uid: updated.metadata.uid } })).toEqual({
      kind: 'deleted',
      uid: created.metadata.uid,
    })
    expect(await maps.find(key)).toBeUndefined()
  })

  test('a second object of the same name, one that is missing and one that is wrong have their own reasons', async () => {
    const namespace = await newNamespace(client)
    const maps = client.resource(configMapResource)
    await maps.create(configMap(namespace, 'one'))
    expect((await failureOf(maps.create(configMap(namespace, 'one')))).reason).toBe('AlreadyExists')
    expect((await failureOf(maps.get({ namespace, name: 'none' }))).message).toContain(
      `Cannot get configmaps ${namespace}/none:`,
    )
    const invalid = await failureOf(
      client.resource(podResource).create({ ...pod(namespace, 'p'), spec: { containers: [] } }),
    )
    expect(invalid).toMatchObject({ reason: 'Invalid', code: 422, causes: [{ field: 'spec.containers' }] })
  })

  test('another object that got the same name is not deleted in its place', async () => {
    const namespace = await newNamespace(client)
    const maps = client.resource(configMapResource)
    await maps.create(configMap(namespace, 'one'))
    const error = await failureOf(
      maps.delete({ namespace, name: 'one' }, { preconditions: { uid: crypto.randomUUID() } }),
    )
    expect(error.reason).toBe('Conflict')
  })

  test('a dry run stores nothing, and strict validation refuses unknown fields', async () => {
    const namespace = await newNamespace(client)
    const maps = client.resource(configMapResource)
    expect((await maps.create(configMap(namespace, 'dry'), { dryRun: true })).metadata.uid).toBeDefined()
    expect(await maps.find({ namespace, name: 'dry' })).toBeUndefined()
    const odd = { ...configMap(namespace, 'odd'), daata: { a: '1' } } as ConfigMap
    expect((await failureOf(maps.create(odd, { fieldValidation: 'Strict' }))).message).toContain(
      'unknown field "daata"',
    )
  })

  test('an unknown field is a warning that is told once', async () => {
    const warnings: string[] = []
    const namespace = await newNamespace(client)
    const told = createClient(await loadSettings({ kubeconfig: api.kubeconfig }), {
      onWarning: (warning) => warnings.push(warning),
    })
    const odd = (name: string) => ({ ...configMap(namespace, name), daata: {} }) as ConfigMap
    await told.resource(configMapResource).create(odd('a'))
    await told.resource(configMapResource).create(odd('b'))
    expect(warnings).toEqual(['unknown field "daata"'])
    told.close()
  })

  test('deleting many takes those that match', async () => {
    const namespace = await newNamespace(client)
    const maps = client.resource(configMapResource)
    await createMany(client, namespace, 3)
    await maps.create({ ...configMap(namespace, 'stays'), metadata: { namespace, name: 'stays' } })
    await maps.deleteMany({ namespace, labelSelector: 'of=test' })
    expect((await maps.list({ namespace })).items.map(({ metadata }) => metadata.name)).toEqual(['stays'])
  })
})

describe('server-side apply', () => {
  test('a field of somebody else is a conflict that names it and its owner, until we insist', async () => {
    const namespace = await newNamespace(client)
    const maps = client.resource(configMapResource)
    await maps.apply(configMap(namespace, 'one', { a: '1' }), { fieldManager: 'first' })
    const theirs = configMap(namespace, 'one', { a: '2' })
    const error = await failureOf(maps.apply(theirs, { fieldManager: 'second' }))
    expect(error).toMatchObject({ reason: 'Conflict', causes: [{ reason: 'FieldManagerConflict', field: '.data.a' }] })
    expect(error.message).toContain('first')
    expect((await maps.apply(theirs, { fieldManager: 'second', force: true })).data).toEqual({ a: '2' })
  })

  test('a field that we no longer name is removed', async () => {
    const namespace = await newNamespace(client)
    const maps = client.resource(configMapResource)
    await maps.apply(configMap(namespace, 'one', { a: '1', b: '1' }), { fieldManager: 'me' })
    expect((await maps.apply(configMap(namespace, 'one', { a: '1' }), { fieldManager: 'me' })).data).toEqual({ a: '1' })
  })
})

describe('subresources', () => {
  test('status is written apart from the rest', async () => {
    const nodes = client.resource(nodeResource)
    const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-0' } }
    const created = await nodes.create({ ...node, status: { phase: 'Running' } })
    const written = await nodes.status.update(keyOf(created), { ...created, status: { capacity: { cpu: '4' } } })
    expect(written.status?.capacity).toEqual({ cpu: '4' })
    const patched = await nodes.status.patch(keyOf(created), {
      type: 'merge',
      body: { status: { capacity: { memory: '1Gi' } } },
    })
    expect(patched.status?.capacity).toEqual({ cpu: '4', memory: '1Gi' })
  })

  test('scale changes replicas without knowing the rest', async () => {
    const namespace = await newNamespace(client)
    const sets = client.resource(statefulSetResource)
    const { metadata, spec } = pod(namespace, 'p')
    const template = { metadata: { labels: { app: 'x' } }, ...(spec !== undefined && { spec }) }
    const selector = { matchLabels: { app: 'x' } }
    const set = await sets.create({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: { serviceName: 'x', selector, template },
    })
    const scale = await sets.scale.get(keyOf(set))
    await sets.scale.update(keyOf(set), { ...scale, spec: { replicas: 5 } })
    expect((await sets.get(keyOf(set))).spec?.replicas).toBe(5)
    const strategic = { spec: { template: { spec: { containers: [{ name: 'more', image: 'x' }] } } } }
    const patched = await sets.patch(keyOf(set), { type: 'strategic', body: strategic })
    expect(patched.spec?.template.spec?.containers.map(({ name }) => name)).toEqual(['more', 'main'])
  })

  test('a pod is bound to a node, protected by a budget, and evicted when that allows it', async () => {
    const namespace = await newNamespace(client)
    const pods = client.resource(podResource)
    const key = { namespace, name: (await pods.create(pod(namespace, 'p'))).metadata.name }
    await pods.binding.create(key, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: key,
      target: { kind: 'Node', name: 'some-node' },
    })
    expect((await pods.get(key)).spec?.nodeName).toBe('some-node')
    await pods.status.patch(key, {
      type: 'merge',
      body: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
    })
    const budgets = client.resource(podDisruptionBudgetResource)
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'x' } } }
    const budget = await budgets.create({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { namespace, name: 'b' },
      spec,
    })
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: key } as const
    const startMs = performance.now()
    const refused = await failureOf(pods.eviction.create(key, eviction))
    expect(refused).toMatchObject({ reason: 'TooManyRequests', causes: [{ reason: 'DisruptionBudget' }] })
    expect(performance.now() - startMs).toBeLessThan(5_000) // it asks us to wait 10 s: the caller decides
    await budgets.delete(keyOf(budget))
    await pods.eviction.create(key, eviction)
    expect((await pods.get(key)).metadata.deletionTimestamp).toBeDefined()
  })

  test('any other one by its name', async () => {
    const namespace = await newNamespace(client)
    const accounts = client.resource(serviceAccountResource)
    const key = keyOf(
      await accounts.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'robot' } }),
    )
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [] } }
    const answer = await accounts
      .subresource<{ readonly status?: { readonly token?: string } }, object>('token')
      .create(key, request)
    expect(answer.status?.token).toMatch(/^eyJ/)
  })
})
