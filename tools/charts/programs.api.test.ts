import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, loadSettings, validatingWebhookConfigurationResource } from '@slurm-operator/kube'
import { startApiServer, until } from '@slurm-operator/local'
import { parseFlags, type Flags } from '@slurm-operator/runtime'
import { describe, expect, test } from 'vitest'
import { managerFlags } from '../../packages/operator/src/programs/manager-flags.ts'
import { webhookFlags } from '../../packages/operator/src/programs/webhook-flags.ts'
import { ROOT } from '../project.ts'
import { everythingOn, mergeValues, renderChart, type Values } from './gen.ts'
import { findHelm } from './helm.ts'
import { createApply, namespace } from './on-server.ts'
import { readRendered, type Rendered } from './read-rendered.ts'

const helm = await findHelm()

const rendered = (values: Values): Rendered[] => readRendered(renderChart(helm, 'slurm-operator', values).stdout)

interface DeploymentSpec {
  readonly template: { readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] } }
}

/** The command line of the program in a Deployment. */
function wordsOf(objects: readonly Rendered[], name: string): readonly string[] {
  const deployments = objects.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === name)
  const [spec] = deployments.map((deployment) => deployment['spec'] as DeploymentSpec)
  return spec?.template.spec.containers[0]?.args ?? []
}

describe('a program does not understand what its Deployment says', () => {
  const programs: readonly { readonly name: string; readonly flags: Flags }[] = [
    { name: 'slurm-operator', flags: managerFlags },
    { name: 'slurm-operator-webhook', flags: webhookFlags },
  ]
  const all = mergeValues(everythingOn['slurm-operator'] ?? {}, {
    operator: { namespaces: 'a, b', metricsSecure: true, profile: true },
    webhook: { namespaces: 'a, b', metricsSecure: true, metricsPort: 8080 },
    propagatedNodeConditions: ['DiskPressure', 'GpuBroken'],
  })
  test.for(programs)('$name', ({ name, flags }) => {
    for (const values of [{}, all]) {
      expect(parseFlags(flags, wordsOf(rendered(values), name))).toMatchObject({ kind: 'run', rest: [] })
    }
  })
})

test('the webhook may not do what it must to be trusted', async () => {
  await using server = await startApiServer()
  const client = createClient(await loadSettings({ kubeconfig: server.kubeconfig }))
  const apply = await createApply(client)
  await apply(namespace('ns'))
  const objects = rendered({ webhook: { serverPort: 0, healthPort: 0 } })
  const wanted = /^(ServiceAccount|(Cluster)?Role(Binding)?|ValidatingWebhookConfiguration)$/
  for (const object of objects.filter(({ kind }) => wanted.test(kind))) expect(await apply(object)).toBe('accepted')

  const kubeconfig = join(server.folder, 'webhook-account')
  const user = { name: 'system:serviceaccount:ns:slurm-operator-webhook', groups: ['system:serviceaccounts'] }
  writeFileSync(kubeconfig, await server.kubeconfigFor(user))
  const program = join(ROOT, 'packages', 'operator', 'src', 'programs', 'webhook.ts')
  const words = [...wordsOf(objects, 'slurm-operator-webhook'), '--kubeconfig', kubeconfig]
  const webhook = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  for (const stream of [webhook.stdout, webhook.stderr])
    stream.on('data', (bytes: Buffer) => said.push(bytes.toString()))
  try {
    const configurations = client.resource(validatingWebhookConfigurationResource)
    const bundles = await until(
      'the API server to be told',
      async () => {
        const { webhooks = [] } = await configurations.get({ name: 'slurm-operator-webhook' })
        const found = webhooks.map(({ clientConfig }) => clientConfig.caBundle)
        return found.every((bundle) => bundle !== undefined) ? found : undefined
      },
      { timeoutMs: 60_000, giveUpWhen: () => (webhook.exitCode === null ? undefined : said.join('')) },
    )
    expect(bundles.length).toBe(6)
    expect(said.join('')).not.toContain('Forbidden')
  } finally {
    const ended = webhook.exitCode === null ? once(webhook, 'exit') : undefined
    webhook.kill('SIGTERM')
    await ended
    client.close()
  }
})
