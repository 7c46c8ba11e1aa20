/** A real API server asks our server, with certificates that our own authority makes and changes. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  configMapResource,
  createClient,
  loadSettings,
  mutatingWebhookConfigurationResource,
  namespaceResource,
  secretResource,
  systemClock,
  validatingWebhookConfigurationResource,
  type Client,
} from '@slurm-operator/kube'
import { startApiServer, type ApiServer } from '@slurm-operator/local'
import { handshake } from '../certificates/gen.ts'
import { ownCertificates } from '../certificates/own/keep-certificates.ts'
import { createBundleStore, createSecretStore } from '../certificates/own/kube-stores.ts'
import { usualPolicy, type CertificatePolicy } from '../certificates/own/policy.ts'
import type { CertificateStep } from '../certificates/own/steps.ts'
import { anyPort, runServer } from '../serving/gen.ts'
import { splitCertificates } from '../certificates/read-certificate.ts'
import type { Hook } from './hook.ts'
import { allowed, denied } from './verdict.ts'
import { createWebhookServer } from './webhook-server.ts'

const namespace = 'hooked'
const hooks: readonly Hook[] = [
  {
    kind: 'validating',
    path: '/validate',
    judge: ({ name, dryRun }) => {
      if (name?.startsWith('bad')) return denied('data.a is wrong', 'data.b is wrong')
      if (name?.startsWith('throws')) throw new Error('secret inside')
      return {
        allowed: true,
        warnings: [`careful with ${name}${dryRun ? ', even dry' : ''}`],
        auditAnnotations: { seen: 'yes' },
      }
    },
  },
  {
    kind: 'mutating',
    path: '/mutate',
    judge: ({ name }) =>
      name === 'patched' ? { allowed: true, patch: [{ op: 'add', path: '/data', value: { added: 'yes' } }] } : allowed,
  },
]

let api: ApiServer
let client: Client
let warnings: string[] = []

beforeAll(async () => {
  api = await startApiServer({ auditPolicy: { rules: [{ level: 'Metadata' }] } })
  client = createClient(await loadSettings({ kubeconfig: api.kubeconfig }), {
    onWarning: (text) => warnings.push(text),
  })
  await client
    .resource(namespaceResource)
    .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
})
afterAll(async () => {
  client?.close()
  await api?.stop()
})

/** A server with its own certificates, as each replica of a webhook would run it. */
async function startReplica(secret: string, policy: CertificatePolicy = usualPolicy, lookEveryMs = 60_000) {
  const steps: CertificateStep[] = []
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  const certificates = ownCertificates({
    secrets: createSecretStore(client, { namespace, name: secret, labels: { app: 'test' } }),
    bundles: createBundleStore(client, { validating: [secret], mutating: [secret] }),
    names: ['127.0.0.1', 'hook.hooked.svc'],
    commonName: 'hook',
    clock: systemClock,
    policy,
    lookEveryMs,
    onStep: (step) => steps.push(step),
    onFailure,
  })
  const running = await runServer((onListening) =>
    createWebhookServer({ listen: anyPort, hooks, certificates, clock: systemClock, onListening, onFailure }),
  )
  return { ...running, steps, failures }
}

/** Two configurations that send every ConfigMap of our namespace to a port. */
async function install(name: string, port: number, reviewVersions: string[]): Promise<void> {
  const webhook = (path: string) => ({
    name: `${name}.example.com`,
    clientConfig: { url: `https://127.0.0.1:${port}${path}` },
    rules: [
      {
        apiGroups: [''],
        apiVersions: ['v1'],
        resources: ['configmaps'],
        operations: ['CREATE' as const, 'UPDATE' as const],
      },
    ],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    admissionReviewVersions: reviewVersions,
    sideEffects: 'None' as const,
    failurePolicy: 'Fail' as const,
    timeoutSeconds: 5,
  })
  const apiVersion = 'admissionregistration.k8s.io/v1'
  await client.resource(validatingWebhookConfigurationResource).create({
    apiVersion,
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [webhook('/validate')],
  })
  await client.resource(mutatingWebhookConfigurationResource).create({
    apiVersion,
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks: [webhook('/mutate')],
  })
}

async function uninstall(name: string): Promise<void> {
  await client.resource(validatingWebhookConfigurationResource).delete({ name })
  await client.resource(mutatingWebhookConfigurationResource).delete({ name })
}

function create(name: string, dryRun = false) {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name } } as const
  return client.resource(configMapResource).create(map, { dryRun })
}

/** The authorities by which the API server knows our webhooks. */
async function trustedBy(name: string): Promise<string> {
  const { webhooks = [] } = await client.resource(validatingWebhookConfigurationResource).get({ name })
  return Buffer.from(webhooks[0]?.clientConfig.caBundle ?? '', 'base64').toString()
}

/** Until the API server calls us: it learns of configurations and authorities a moment later. */
async function untilCalled(): Promise<void> {
  await expect
    .poll(() => create('bad-probe', true).catch((error: unknown) => String(error)), { timeout: 30_000 })
    .toContain('data.a is wrong')
}

test('an API server does not understand what we answer', async () => {
  await using replica = await startReplica('words')
  await install('words', replica.port, ['v1'])
  await untilCalled()
  warnings = []
  await create('good')
  await create('dry', true)
  expect(warnings).toEqual(['careful with good', 'careful with dry, even dry'])
  expect((await create('patched')).data).toEqual({ added: 'yes' })
  await expect(create('bad')).rejects.toThrow('denied the request: data.a is wrong; data.b is wrong')
  await expect(create('throws')).rejects.toThrow(
    /Cannot check ConfigMap hooked\/throws: the check itself failed\. Try again/,
  )
  expect(replica.failures).toHaveLength(1)
  await expect.poll(() => readFileSync(api.auditLog, 'utf8')).toContain('"words.example.com/seen":"yes"')
  await uninstall('words')
})

test('an API server that speaks v1beta1 only gets no answer', async () => {
  await using replica = await startReplica('beta')
  await install('beta', replica.port, ['v1beta1'])
  await untilCalled()
  await create('beta-good')
  await expect(create('bad-beta')).rejects.toThrow('data.b is wrong')
  await uninstall('beta')
})

test('replicas that start at once fight over Secret and configurations', async () => {
  await install('race', 1, ['v1'])
  const replicas = await Promise.all(Array.from({ length: 5 }, () => startReplica('race')))
  const written = replicas.flatMap(({ steps }) => steps.map((step) => step.do))
  expect(written.sort()).toEqual(['create-authority', 'issue-serving'])
  expect(replicas.flatMap(({ failures }) => failures)).toEqual([])
  const secret = await client.resource(secretResource).get({ namespace, name: 'race' })
  expect(secret).toMatchObject({ type: 'kubernetes.io/tls', metadata: { labels: { app: 'test' } } })
  const authorities = Buffer.from(secret.data?.['ca.crt'] ?? '', 'base64').toString()
  await expect.poll(() => trustedBy('race')).toBe(authorities)
  await Promise.all(replicas.map((replica) => replica[Symbol.asyncDispose]()))
  await uninstall('race')
})

test('an API server refuses us while authorities and certificates change', async () => {
  const SECOND = 1000
  const policy = { overlapMs: 4 * SECOND, servingLifeMs: 24 * SECOND, authorityLifeMs: 64 * SECOND }
  await using replica = await startReplica('change', policy, 500)
  await using other = await startReplica('change', policy, 500)
  await install('change', replica.port, ['v1'])
  await untilCalled()
  const done = () => [...replica.steps, ...other.steps].map((step) => step.do)
  const seen = new Set<number>()
  for (let count = 0; !done().includes('drop-authority'); count++) {
    await create(`during-${count}`, true) // throws when the webhook cannot be called
    const secret = await client.resource(secretResource).get({ namespace, name: 'change' })
    const authorities = Buffer.from(secret.data?.['ca.crt'] ?? '', 'base64').toString()
    seen.add(splitCertificates(authorities).length)
    // The API server keeps its connections: we shake hands anew, with what it has been told to trust.
    for (const { port } of [replica, other]) await handshake(port, await trustedBy('change'), 'hook.hooked.svc')
  }
  expect(seen).toEqual(new Set([1, 2]))
  expect(done()).toEqual(expect.arrayContaining(['create-authority', 'promote-next', 'issue-serving']))
  expect([...replica.failures, ...other.failures]).toEqual([])
  await uninstall('change')
}, 110_000)
