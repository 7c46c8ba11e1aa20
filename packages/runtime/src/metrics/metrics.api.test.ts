/** Tokens and rights of a real API server decide who reads our metrics. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  clusterRoleBindingResource,
  clusterRoleResource,
  createClient,
  loadSettings,
  serviceAccountResource,
  systemClock,
  type Client,
} from '@slurm-operator/kube'
import { startApiServer, type ApiServer } from '@slurm-operator/local'
import { anyPort, certificatesForTests, createTestClient, runServer } from '../serving/gen.ts'
import { createAuthorize } from './authorize.ts'
import { createAccessReviews } from './kube-reviews.ts'
import { createMetricsServer } from './metrics-server.ts'
import { createMetrics } from './metrics.ts'

let api: ApiServer
let client: Client
const metrics = createMetrics()

beforeAll(async () => {
  api = await startApiServer()
  client = createClient(await loadSettings({ kubeconfig: api.kubeconfig }), { onRequest: metrics.onRequest })
})
afterAll(async () => {
  client?.close()
  await api?.stop()
})

async function tokenOf(name: string): Promise<string> {
  const metadata = { namespace: 'default', name }
  await client.resource(serviceAccountResource).create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata })
  const { text } = await client.raw({
    method: 'POST',
    path: `/api/v1/namespaces/default/serviceaccounts/${name}/token`,
    contentType: 'application/json',
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }),
  })
  return (JSON.parse(text) as { readonly status: { readonly token: string } }).status.token
}

/** The right to read the non-resource URL, as the charts give it. */
async function permit(name: string): Promise<void> {
  await client.resource(clusterRoleResource).create({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'metrics-reader' },
    rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }],
  })
  await client.resource(clusterRoleBindingResource).create({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'metrics-reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'metrics-reader' },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
  })
}

test('an account without the right reads metrics, or one with it does not', async () => {
  const { authority, source } = await certificatesForTests()
  const [reader, stranger] = [await tokenOf('reader'), await tokenOf('stranger')]
  await permit('reader')
  const failures: unknown[] = []
  const authorize = createAuthorize(createAccessReviews(client), systemClock, (error) => failures.push(error))
  await using running = await runServer((onListening) =>
    createMetricsServer({ listen: anyPort, metrics, certificates: source, authorize, onListening }),
  )
  const scraper = createTestClient(running.port, authority)
  const scrape = (token: string) => scraper.send('/metrics', { headers: { authorization: `Bearer ${token}` } })
  expect((await scrape(stranger)).code).toBe(403)
  expect((await scrape(`${stranger}x`)).code).toBe(401)
  const { code, text } = await scrape(reader)
  expect(code).toBe(200)
  expect(text).toContain(`rest_client_requests_total{code="201",method="POST",host="${new URL(api.url).host}"}`)
  expect(failures).toEqual([])
  scraper.close()
})
