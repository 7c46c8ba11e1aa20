import { connect, createServer, type AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { HiddenText } from '../config/hidden-text.ts'
import { parseKubeconfig } from '../config/kubeconfig-document.ts'
import { loadSettings } from '../config/load-settings.ts'
import { resolveContext } from '../config/resolve-context.ts'
import { discover } from '../discovery/discover.ts'
import { findKind } from '../discovery/discovered.ts'
import { isFailure } from '../errors/kube-error.ts'
import type { FinishedRequest } from '../transport/observe.ts'
import { configMapResource, podResource } from '../types/generated/resources.ts'
import { createClient } from './client.ts'
import { startRealServer } from './real/gen.ts'
import { configMap, failureOf, newNamespace } from './gen.ts'
import { defineResource, type KubeObject } from './resource.ts'

const { api, client } = await startRealServer()

describe('everything else', () => {
  test('two thousand small calls share a few connections', async () => {
    const namespace = await newNamespace(client)
    const counter = await startCounter(api.url)
    const finished: FinishedRequest[] = []
    const settings = { ...(await loadSettings({ kubeconfig: api.kubeconfig })), server: counter.url }
    const busy = createClient(settings, { maxConnections: 4, onRequest: (one) => finished.push(one) })
    const maps = busy.resource(configMapResource)
    await maps.create(configMap(namespace, 'one'))
    const callers = Array.from({ length: 20 }, async () => {
      for (let call = 0; call < 100; call++) await maps.get({ namespace, name: 'one' })
    })
    await Promise.all(callers)
    expect(finished.filter(({ code, method }) => code === 200 && method === 'GET')).toHaveLength(2_000)
    expect(counter.connections()).toBeLessThanOrEqual(4)
    busy.close()
    await counter.stop()
  })

  test('discovery finds built-in kinds', async () => {
    const groups = await discover(client)
    expect(findKind(groups, { group: 'apps', kind: 'StatefulSet' })).toMatchObject({
      plural: 'statefulsets',
      namespaced: true,
    })
    expect(findKind(groups, { group: '', kind: 'Pod' })?.subresources.map(({ name }) => name)).toContain('eviction')
  })

  test('raw paths', async () => {
    const { text, status } = await client.raw({ method: 'GET', path: '/readyz', query: { verbose: true } })
    expect(status).toBe(200)
    expect(text).toContain('readyz check passed')
    expect((await failureOf(client.raw({ method: 'GET', path: '/nowhere' }))).reason).toBe('NotFound')
  })

  test('impersonation and RBAC: another user may not, and the error says who', async () => {
    const document = parseKubeconfig(await api.kubeconfigFor({ name: 'admin', groups: ['system:masters'] }), 'f', '/')
    const settings = {
      ...resolveContext(document),
      impersonate: { user: 'nobody', groups: ['x'], extra: {} },
    }
    const other = createClient(settings)
    const error = await failureOf(other.resource(podResource).list())
    expect(isFailure(error, 'Forbidden') && error.message).toContain('"nobody"')
    other.close()
  })

  test('a wrong token is refused and not shown', async () => {
    const { clientCertificate: _, ...anonymous } = await loadSettings({ kubeconfig: api.kubeconfig })
    const stranger = createClient({ ...anonymous, login: { kind: 'token', token: new HiddenText('sesame') } })
    const error = await failureOf(stranger.resource(podResource).list())
    expect(error.reason).toBe('Unauthorized')
    expect(error.message).not.toContain('sesame')
    stranger.close()
  })

  test('kinds of others need a description only', async () => {
    const things = defineResource<KubeObject>({
      group: 'example.org',
      version: 'v1',
      plural: 'things',
      kind: 'Thing',
      namespaced: true,
    })
    expect((await failureOf(client.resource(things).list())).reason).toBe('NotFound')
  })
})

/** Something in front of the server that counts connections. */
async function startCounter(target: string) {
  const { port } = new URL(target)
  let connections = 0
  const relay = createServer((near) => {
    connections++
    const far = connect(Number(port), '127.0.0.1')
    near.pipe(far).pipe(near)
    for (const socket of [near, far]) socket.on('error', () => [near, far].forEach((one) => one.destroy()))
  })
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    connections: () => connections,
    stop: () => new Promise((resolve) => relay.close(resolve)),
  }
}
