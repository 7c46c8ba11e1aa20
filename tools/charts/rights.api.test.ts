/**
 * The rights of the charts are those that are used, no more and no less. The programs run with an API server that asks
 * us about every right, and do everything for which they have one.
 */
import { request } from 'node:https'
import { accountingResource, controllerResource, nodeSetResource } from '@slurm-operator/api'
import {
  controllerRevisionResource,
  nodeResource,
  podResource,
  secretResource,
  serviceAccountResource,
  statefulSetResource,
  systemClock,
  type Client,
  type KubeObject,
  type Resource,
} from '@slurm-operator/kube'
import { untilTrue } from '@slurm-operator/local'
import { createSimulatedSlurm } from '@slurm-operator/testkit'
import { describe, expect, test } from 'vitest'
import { findFreePorts } from '../../packages/local/src/machine/ports.ts'
import { startMachines } from '../../packages/operator/src/nodeset/gen-machines.ts'
import { buildController, buildKey, buildNodeSet, NAMESPACE } from '../../packages/operator/src/simulation/objects.ts'
import type { Values } from './gen.ts'
import { startAuthorizer } from './gen-authorizer.ts'
import { ACCOUNTS, rendered, setStage, userOf } from './gen-stage.ts'
import { anyKind, namespace } from './on-server.ts'
import type { Rendered } from './read-rendered.ts'
import { describeRight, questionsWithoutRight, rightsOf, rightsWithoutUse } from './rights.ts'

const patient = { timeoutMs: 90_000 }
const limit = { timeout: 300_000 }

/** A stage on which a program is asked for every right. */
async function watchOver(account: string, values: Values, isNeeded: (object: Rendered) => boolean) {
  const rights = rightsOf(rendered('slurm-operator', values), account)
  const authorizer = await startAuthorizer({ [userOf(account)]: rights })
  const noStreams = '--feature-gates=WatchList=false' // newer servers send lists as watches, others do not
  const server = {
    flags: [...authorizer.flags, noStreams],
    enableAdmission: ['OwnerReferencesPermissionEnforcement'], // it asks for rights that no request shows
  }
  const stage = await setStage(values, { isNeeded, server })
  const questions = () => authorizer.questionsOf(userOf(account)).filter(({ group }) => group !== '*') // "may it do all?"
  return {
    ...stage,
    rights,
    unused: () => [...new Set(rightsWithoutUse(rights, questions()).map(describeRight))],
    refused: () => [...new Set(questionsWithoutRight(rights, questions()).map(describeRight))],
    [Symbol.asyncDispose]: async () => {
      await stage[Symbol.asyncDispose]()
      await authorizer[Symbol.asyncDispose]()
    },
  }
}

type Watched = Awaited<ReturnType<typeof watchOver>>

/** What is still to be used may need a moment. */
async function expectEqual({ rights, unused, refused }: Watched): Promise<void> {
  await untilTrue('all rights to be used', () => unused().length === 0, { timeoutMs: 20_000 }).catch(() => undefined)
  expect({ unused: unused(), refused: refused() }).toEqual({ unused: [], refused: [] })
  console.log(`${rights.length} rights, each of them used`)
}

interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

/** Call one of our servers; it has a certificate of its own making. Undefined: nobody answers. */
function call(port: number, path: string, { body, ...options }: Call): Promise<number | undefined> {
  return new Promise((resolve) => {
    const sent = request({ port, path, host: '127.0.0.1', rejectUnauthorized: false, agent: false, ...options })
    sent.setTimeout(10_000, () => sent.destroy(new Error('no answer in 10 s')))
    sent.once('error', () => resolve(undefined))
    sent.once('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    sent.end(body === undefined ? '' : JSON.stringify(body))
  })
}

/** Metrics for somebody whom the API server knows, but who may not read them. */
async function readMetrics(client: Client, port: number, said: { readonly whyEnded: () => string | undefined }) {
  const tokens = client
    .resource(serviceAccountResource)
    .subresource<{ readonly status: { readonly token: string } }, object>('token')
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const { status } = await tokens.create({ namespace: 'ns', name: ACCOUNTS.operator }, body)
  const headers = { Authorization: `Bearer ${status.token}` }
  const isRefused = async () => (await call(port, '/metrics', { headers })) === 403
  await untilTrue('metrics to be refused', isRefused, { ...patient, giveUpWhen: said.whyEnded })
}

describe('the operator', () => {
  test('has a right that it never uses, or lacks one', limit, async () => {
    const [metricsPort = 0] = await findFreePorts(1)
    const values = { operator: { healthPort: 0, metricsPort, metricsSecure: true } }
    await using at = await watchOver(ACCOUNTS.operator, values, ({ kind }) => kind === 'ServiceAccount')
    await at.apply(anyKind({ group: 'monitoring.coreos.com', kind: 'ServiceMonitor', plural: 'servicemonitors' }))
    const said = at.start(ACCOUNTS.operator, 'manager.ts')
    const work = async () => {
      await manageControlPlane(at)
      await manageWorkers(at)
      await readMetrics(at.client, metricsPort, said)
    }
    await work().catch((cause: unknown) => {
      throw new Error(`${String(cause)}\nThe end of what it said:\n${said.text().slice(-3_000)}`, { cause })
    })
    await expectEqual(at)
  })
})

const count = async <T extends KubeObject>(client: Client, resource: Resource<T>, inside = 'ns') =>
  (await client.resource(resource).list({ namespace: inside })).items.length

/** Make all parts of a Slurm cluster, and take away again what can be taken away. */
async function manageControlPlane({ apply, client }: Watched): Promise<void> {
  const password = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'mariadb-password', namespace: 'ns' },
  } as const
  await client.resource(secretResource).create({ ...password, stringData: { password: 'p' } })
  const objects = rendered('slurm', {
    accounting: { enabled: true },
    controller: { metrics: { enabled: true, serviceMonitor: { enabled: true } } },
    loginsets: { one: {} },
    tokens: { someone: {} },
    cluster: { enabled: true },
  })
  for (const object of objects.filter(({ kind }) => kind !== 'Pod')) expect(await apply(object)).toBe('accepted')
  await untilTrue('slurmctld and slurmdbd', async () => (await count(client, statefulSetResource)) === 2, patient)
  const key = { namespace: 'ns', name: 'rel-slurm' }
  const outside = { spec: { external: true, externalConfig: { host: 'elsewhere', port: 6819 } } }
  await client.resource(accountingResource).patch(key, { type: 'merge', body: outside })
  const body = { spec: { metrics: { serviceMonitor: { enabled: false } } } }
  await client.resource(controllerResource).patch(key, { type: 'merge', body })
  await untilTrue('slurmdbd to go', async () => (await count(client, statefulSetResource)) === 1, patient)
}

/** Workers with claims, a second NodeSet beside them, an update, a scale-in, a cordon. */
async function manageWorkers({ apply, client }: Watched): Promise<void> {
  await using slurm = await startSlurm()
  await apply(namespace(NAMESPACE))
  const inNamespace = { namespace: NAMESPACE }
  const token = { metadata: { name: 'token', ...inNamespace }, stringData: { 'auth-token': slurm.token() } }
  await client.resource(secretResource).create({ apiVersion: 'v1', kind: 'Secret', ...token })
  await client.resource(secretResource).create(buildKey(slurm.signingKey))
  await client.resource(controllerResource).create(buildController())
  await apply({
    ...{ apiVersion: 'slinky.slurm.net/v1beta1', kind: 'Cluster', metadata: { name: 'sim', ...inNamespace } },
    spec: { server: slurm.url, token: { secretRef: { name: 'token' } } },
  })
  const nodeSets = client.resource(nodeSetResource)
  const claim = { accessModes: ['ReadWriteOnce' as const], resources: { requests: { storage: '1Gi' } } }
  const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: claim }]
  await nodeSets.create(
    buildNodeSet('w', {
      replicas: 2,
      ssh: { enabled: true, sssdConfRef: { name: 'key', key: 'key' } },
      volumeClaimTemplates,
    }),
  )
  await using machines = await startMachines({ client, slurm: slurm.slurm, namespace: NAMESPACE, nodes: 4 })
  const workers = (image: string, wanted: number) =>
    untilTrue(
      `${wanted} workers`,
      async () => {
        const { status } = await nodeSets.get({ name: 'w', ...inNamespace })
        const { items } = await client.resource(podResource).list(inNamespace)
        const isNew = items.every(({ spec }) => spec?.containers.some((container) => container.image === image))
        return isNew && items.length === wanted && status?.readyReplicas === wanted && status.slurmIdle === wanted
      },
      patient,
    )
  await workers('slurmd:1', 2)
  await nodeSets.create(buildNodeSet('beside', { replicas: 0 }))
  const change = (spec: object) => nodeSets.patch({ name: 'w', ...inNamespace }, { type: 'merge', body: { spec } })
  await change({ slurmd: { image: 'slurmd:2' }, ssh: { enabled: false } })
  await workers('slurmd:2', 2)
  await abandonRevisions(client)
  const annotations = { 'nodeset.slinky.slurm.net/drain-on-delete': 'true' }
  await nodeSets.patch({ name: 'w', ...inNamespace }, { type: 'merge', body: { metadata: { annotations } } })
  await change({
    replicas: 1,
    revisionHistoryLimit: 0,
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
  })
  await workers('slurmd:2', 1)
  expect(machines.lostJobs).toEqual([])
}

/** Somebody takes away their owner; the operator takes them over again. */
async function abandonRevisions(client: Client): Promise<void> {
  const revisions = client.resource(controllerRevisionResource)
  const { items } = await revisions.list({ namespace: NAMESPACE })
  const body = { metadata: { ownerReferences: null } }
  for (const { metadata } of items) await revisions.patch(metadata, { type: 'merge', body })
}

async function startSlurm() {
  const slurm = createSimulatedSlurm({ clock: systemClock })
  const door = await slurm.listen()
  return {
    slurm,
    url: door.url,
    signingKey: slurm.signingKey,
    token: () => slurm.token(),
    [Symbol.asyncDispose]: () => door[Symbol.asyncDispose](),
  }
}

describe('the webhook', () => {
  test('has a right that it never uses, or lacks one', limit, async () => {
    const [serverPort = 0, metricsPort = 0] = await findFreePorts(2)
    const values = { webhook: { serverPort, metricsPort, healthPort: 0, metricsSecure: true, podsBinding: true } }
    const isNeeded = ({ kind }: Rendered) => kind === 'ServiceAccount' || kind.endsWith('WebhookConfiguration')
    await using at = await watchOver(ACCOUNTS.webhook, values, isNeeded)
    const secret = { namespace: 'ns', name: 'slurm-operator-webhook-tls' }
    const first = at.start(ACCOUNTS.webhook, 'webhook.ts')
    const secrets = at.client.resource(secretResource)
    await untilTrue('a certificate', async () => (await secrets.find(secret)) !== undefined, patient)
    await first.end()
    const lost = { 'tls.crt': 'bG9zdA==', 'tls.key': 'bG9zdA==' }
    await secrets.patch(secret, { type: 'merge', body: { data: lost } })
    const said = at.start(ACCOUNTS.webhook, 'webhook.ts')
    await review(at.client, serverPort)
    await readMetrics(at.client, metricsPort, said)
    await expectEqual(at)
  })
})

/** Let it judge what refers to other objects. */
async function review(client: Client, port: number): Promise<void> {
  const send = (path: string, object: object, subResource = '') => {
    const about = { kind: { kind: 'any' }, resource: { resource: 'any' }, namespace: 'ns', name: 'one' }
    const asked = { uid: 'u', operation: 'CREATE', ...about, object, subResource }
    const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: asked }
    return call(port, path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
  }
  const metadata = { namespace: 'ns', name: 'one' }
  const ours = (kind: string, spec: object) => {
    const object = { apiVersion: 'slinky.slurm.net/v1beta1', kind, metadata, spec }
    const path = `/validate-slinky-slurm-net-v1beta1-${kind.toLowerCase()}`
    return untilTrue(`a verdict about a ${kind}`, async () => (await send(path, object)) === 200, patient)
  }
  const persistence = { existingClaim: 'claim' }
  await ours('Controller', { configFileRefs: [{ name: 'files' }], ha: { enabled: true }, persistence })
  await ours('NodeSet', { controllerRef: { name: 'c' } })
  const labels = { 'app.kubernetes.io/name': 'slurmd' }
  await client.resource(nodeResource).create({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'kube-node' } })
  const spec = { containers: [{ name: 'main', image: 'none' }] }
  await client.resource(podResource).create({ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, labels }, spec })
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target: { kind: 'Node', name: 'kube-node' } }
  expect(await send('/mutate--v1-binding', binding, 'binding')).toBe(200)
}
