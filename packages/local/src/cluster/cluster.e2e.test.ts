import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { until, untilTrue } from '../machine/until.ts'
import { buildLayer, writeImageArchive } from '../oci/index.ts'
import { startRefusingWebhook } from '../testing/admission-server.ts'
import { clusterForSuite } from '../testing/cluster-suite.ts'
import { SHARED_FOLDER } from './layout.ts'
import { listOf, scriptPod, webPod, webService } from '../testing/objects.ts'

const cluster = clusterForSuite({ nodes: 3 })
const patient = { timeoutMs: 120_000, everyMs: 200 }

async function apply(...objects: readonly object[]): Promise<void> {
  await cluster().kubectl(['apply', '--server-side', '-f', '-'], { input: listOf(objects) })
}

async function untilReady(...pods: readonly string[]): Promise<void> {
  await cluster().kubectl(['wait', '--for=condition=Ready', '--timeout=110s', ...pods.map((name) => `pod/${name}`)])
}

async function untilSucceeded(pod: string): Promise<void> {
  await cluster().kubectl(['wait', '--for=jsonpath={.status.phase}=Succeeded', '--timeout=110s', `pod/${pod}`])
}

async function field(object: string, path: string): Promise<string> {
  return cluster().kubectl(['get', object, '-o', `jsonpath={${path}}`])
}

describe('a local cluster is a real one, or tests on it would mean nothing', () => {
  test('pods on different nodes do not find each other', async () => {
    const headless = webService('web', { kind: 'web' }, { clusterIP: 'None' })
    await apply(headless, webService('far', { app: 'far' }), webPod('near', 'n1'), webPod('far', 'n2'))
    await untilReady('near', 'far')
    const urls = [
      `http://${await field('service/far', '.spec.clusterIP')}`,
      `http://${await field('pod/far', '.status.podIP')}:8080`,
      'http://far',
      'http://far.default.svc.cluster.local',
      'http://far.web.default.svc.cluster.local:8080',
    ]
    for (const url of urls) {
      const reach = () => cluster().exec({ pod: 'near' }, ['wget', '-qO-', '-T', '5', url])
      expect(await until(`${url} from another node`, reach, patient), url).toBe('far\n')
    }
  })

  test('a test process cannot reach a Service, or a wrong name hangs', async () => {
    await using port = await cluster().forward('far.default.svc.cluster.local', 80)
    const response = await fetch(`http://127.0.0.1:${port.port}`, { signal: AbortSignal.timeout(10_000) })
    expect(await response.text()).toBe('far\n')
    await expect(cluster().connect('nobody.default.svc.cluster.local', 80)).rejects.toThrow(
      'Cannot connect to nobody.default',
    )
  })

  test('what one node writes for all is not there on another', async () => {
    const file = `${SHARED_FOLDER}/note`
    await cluster().runInNode('n1', ['sh', '-c', `echo all > ${file}`])
    expect((await cluster().runInNode('n3', ['cat', file])).stdout).toBe('all\n')
  })

  test('what a pod wrote is lost to the next pod with the same claim, or its group may not read it', async () => {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Mi' } } }
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'kept' }, spec }
    await apply(claim, scriptPod('writer', 'echo kept > /data/file', 'kept'))
    await untilSucceeded('writer')
    await apply(scriptPod('reader', 'cat /data/file; stat -c %g /data', 'kept'))
    await untilSucceeded('reader')
    expect(await cluster().kubectl(['logs', 'reader'])).toBe('kept\n2000\n')
  })

  test('a pod that fails its readiness probe gets traffic, or a dead one is never restarted', async () => {
    const readinessProbe = { exec: { command: ['test', '-e', '/tmp/ok'] }, periodSeconds: 1, failureThreshold: 1 }
    const livenessProbe = { exec: { command: ['test', '!', '-e', '/tmp/sick'] }, periodSeconds: 1, failureThreshold: 1 }
    await apply(webService('probed', { app: 'probed' }), webPod('probed', 'n2', { readinessProbe, livenessProbe }))
    const slices = ['get', 'endpointslices', '-l', 'kubernetes.io/service-name=probed', '-o']
    const ready = () => cluster().kubectl([...slices, 'jsonpath={.items[*].endpoints[*].conditions.ready}'])
    await untilTrue('the endpoint to be unready', async () => (await ready()) === 'false', patient)
    await cluster().exec({ pod: 'probed' }, ['touch', '/tmp/ok'])
    await untilTrue('the endpoint to be ready', async () => (await ready()) === 'true', patient)
    await cluster().exec({ pod: 'probed' }, ['touch', '/tmp/sick'])
    const restarts = () => field('pod/probed', '.status.containerStatuses[0].restartCount')
    await untilTrue('a restart', async () => Number(await restarts()) >= 1, patient)
  })

  test('an eviction goes through although a disruption budget forbids it', async () => {
    const spec = { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } }
    await apply(
      { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'keep' }, spec },
      webPod('guarded', 'n2'),
    )
    await untilReady('guarded')
    await untilTrue(
      'the budget to count the pod',
      async () => (await field('pdb/keep', '.status.currentHealthy')) === '1',
      patient,
    )
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'guarded', namespace: 'default' } }
    const path = '/api/v1/namespaces/default/pods/guarded/eviction'
    const evict = cluster().kubectl(['create', '--raw', path, '-f', '-'], { input: JSON.stringify(eviction) })
    await expect(evict).rejects.toThrow(/disruption budget/)
  })

  test('the API server cannot call a webhook that runs in the test process', async () => {
    await using webhook = await startRefusingWebhook(cluster(), 'not on a Sunday')
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }]
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'default' } }
    const fixed = {
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      failurePolicy: 'Fail',
      namespaceSelector,
      rules,
    }
    const webhooks = [{ name: 'no.example.local', clientConfig: webhook.clientConfig, ...fixed }]
    await apply({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'no' },
      webhooks,
    })
    const create = () => cluster().kubectl(['create', 'configmap', 'refused', '--dry-run=server'])
    const refusal = () =>
      create().then(
        () => undefined,
        (error: unknown) => String(error),
      )
    expect(await until('the webhook to be asked', refusal, patient)).toContain('not on a Sunday')
    expect(webhook.asked).toContain('refused')
    await cluster().kubectl(['delete', 'validatingwebhookconfiguration', 'no'])
  })

  test('an image of our own writer does not run', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'image-'))
    try {
      const { stdout } = await cluster().runInNode('n1', ['base64', '-w0', '/usr/bin/busybox'])
      const entries = [{ path: '/bin/busybox', mode: 0o755, content: Buffer.from(stdout, 'base64') }]
      const layer = await buildLayer({ entries }, { file: join(folder, 'layer') })
      const images = [
        {
          ref: 'slurm-operator.local/hello:1',
          layers: [layer],
          config: { entrypoint: ['/bin/busybox', 'echo', 'written by us'] },
        },
      ]
      const architecture = process.arch === 'arm64' ? 'arm64' : 'amd64'
      await writeImageArchive({ file: join(folder, 'image.tar'), architecture, images })
      await cluster().importImages(join(folder, 'image.tar'))
    } finally {
      rmSync(folder, { recursive: true })
    }
    const spec = { restartPolicy: 'Never', containers: [{ name: 'hello', image: 'slurm-operator.local/hello:1' }] }
    await apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'hello' }, spec })
    await untilSucceeded('hello')
    expect(await cluster().kubectl(['logs', 'hello'])).toBe('written by us\n')
  })

  test('a node that joins later gets no pods', async () => {
    const name = await cluster().addNode({ labels: { pool: 'late' } })
    expect(name).toBe('n4')
    expect(await cluster().kubectl(['get', 'nodes', '-l', 'pool=late', '-o', 'name'])).toBe('node/n4\n')
    await apply(webPod('late', name))
    await untilReady('late')
  })
})
