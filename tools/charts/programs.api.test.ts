import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  createClient,
  deploymentResource,
  loadSettings,
  podResource,
  statefulSetResource,
  validatingWebhookConfigurationResource,
} from '@slurm-operator/kube'
import { startApiServer, untilTrue } from '@slurm-operator/local'
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
const PROGRAMS = join(ROOT, 'packages', 'operator', 'src', 'programs')

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
  test('the operator that answers for the webhook too', () => {
    const words = wordsOf(rendered({ webhook: { ownDeployment: false } }), 'slurm-operator')
    expect(parseFlags(managerFlags, words)).toMatchObject({ kind: 'run', values: { webhook: true }, rest: [] })
  })

  test.for(programs)('$name', ({ name, flags }) => {
    for (const values of [{}, all]) {
      expect(parseFlags(flags, wordsOf(rendered(values), name))).toMatchObject({ kind: 'run', rest: [] })
    }
  })
})

describe('rights', () => {
  const admissions = [
    { name: 'in its own pods', own: true, account: 'slurm-operator-webhook', program: 'webhook.ts' },
    { name: "in the operator's pods", own: false, account: 'rel-slurm-operator', program: 'manager.ts' },
  ]
  test.for(admissions)('the webhook $name may not do what it must to be trusted', async ({ own, account, program }) => {
    const operator = { healthPort: 0, metricsPort: 0 }
    await using stage = await setStage({ operator, webhook: { serverPort: 0, healthPort: 0, ownDeployment: own } })
    const said = stage.start(account, program)
    const configurations = stage.client.resource(validatingWebhookConfigurationResource)
    const hasAll = async () => {
      const { webhooks = [] } = await configurations.get({ name: 'slurm-operator-webhook' })
      return webhooks.length === 6 && webhooks.every(({ clientConfig }) => clientConfig.caBundle !== undefined)
    }
    await untilTrue('the API server to be told', hasAll, { timeoutMs: 60_000, giveUpWhen: said.whyEnded })
    expect(said.text()).not.toMatch(/forbidden/i)
  })

  const reaches = [
    { name: 'everywhere', values: {} },
    { name: 'in one namespace', values: { operator: { namespaces: 'ns' } } },
  ]
  test.for(reaches)('the operator may not make a Slurm cluster $name', async ({ values }) => {
    await using stage = await setStage(mergeValues(values, { operator: { healthPort: 0, metricsPort: 0 } }))
    const said = stage.start('rel-slurm-operator', 'manager.ts')
    const cluster = {
      nodesets: { one: {} },
      loginsets: { one: {} },
      tokens: { someone: {} },
      cluster: { enabled: true },
    }
    const objects = readRendered(renderChart(helm, 'slurm', cluster).stdout).filter(({ kind }) => kind !== 'Pod')
    for (const object of objects) expect(await stage.apply(object)).toBe('accepted')

    const { client } = stage
    const makes = async () => {
      const pods = await client.resource(podResource).list({ namespace: 'ns' })
      const sets = await client.resource(statefulSetResource).list({ namespace: 'ns' })
      const deployments = await client.resource(deploymentResource).list({ namespace: 'ns' })
      return pods.items.length > 0 && sets.items.length > 0 && deployments.items.length > 1
    }
    await untilTrue('workers, slurmctld, slurmrestd and login', makes, { timeoutMs: 60_000, giveUpWhen: said.whyEnded })
    expect(said.text()).not.toMatch(/forbidden/i)
  })
})

/** A server with everything of the operator's chart but its pods, and a way to run a program under its own account. */
async function setStage(values: Values) {
  const server = await startApiServer()
  const client = createClient(await loadSettings({ kubeconfig: server.kubeconfig }))
  const kinds = readRendered(renderChart(helm, 'slurm-operator-crds', {}).stdout)
  const first = await createApply(client)
  for (const kind of kinds) await first(kind)
  const apply = await createApply(client, { 'slinky.slurm.net': kinds.length })
  await apply(namespace('ns'))
  const objects = rendered(values)
  const withoutPods = /^(ServiceAccount|(Cluster)?Role(Binding)?|ValidatingWebhookConfiguration)$/
  const isNeeded = ({ kind }: Rendered) => withoutPods.test(kind) && !isAdmission(kind, values)
  for (const object of objects.filter(isNeeded)) await apply(object)
  let program: ChildProcess | undefined

  const start = (account: string, file: string) => {
    const deployment = account.replace('rel-', '')
    const words = [...wordsOf(objects, deployment), '--kubeconfig', join(server.folder, account)]
    program = spawn(process.execPath, [join(PROGRAMS, file), ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
    return listenTo(program)
  }
  for (const account of ['rel-slurm-operator', 'slurm-operator-webhook']) {
    const user = { name: `system:serviceaccount:ns:${account}`, groups: ['system:serviceaccounts'] }
    writeFileSync(join(server.folder, account), await server.kubeconfigFor(user))
  }
  const end = async () => {
    const ended = program?.exitCode === null ? once(program, 'exit') : undefined
    program?.kill('SIGTERM')
    await ended
    client.close()
    await server.stop()
  }
  return { client, apply, start, [Symbol.asyncDispose]: end }
}

/** Nobody answers for a webhook that is not running. */
function isAdmission(kind: string, values: Values): boolean {
  return kind.endsWith('WebhookConfiguration') && !('webhook' in values)
}

function listenTo(program: ChildProcess) {
  const said: string[] = []
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', (bytes: Buffer) => said.push(String(bytes)))
  const text = () => said.join('')
  return { text, whyEnded: () => (program.exitCode === null ? undefined : text()) }
}
