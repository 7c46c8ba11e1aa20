import {
  deploymentResource,
  podResource,
  statefulSetResource,
  validatingWebhookConfigurationResource,
} from '@slurm-operator/kube'
import { untilTrue } from '@slurm-operator/local'
import { parseFlags, type Flags } from '@slurm-operator/runtime'
import { describe, expect, test } from 'vitest'
import { managerFlags } from '../../packages/operator/src/programs/manager-flags.ts'
import { webhookFlags } from '../../packages/operator/src/programs/webhook-flags.ts'
import { everythingOn, mergeValues, type Values } from './gen.ts'
import { ACCOUNTS, rendered, setStage, wordsOf } from './gen-stage.ts'

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
    const words = wordsOf(rendered('slurm-operator', { webhook: { ownDeployment: false } }), 'slurm-operator')
    expect(parseFlags(managerFlags, words)).toMatchObject({ kind: 'run', values: { webhook: true }, rest: [] })
  })

  test.for(programs)('$name', ({ name, flags }) => {
    for (const values of [{}, all]) {
      expect(parseFlags(flags, wordsOf(rendered('slurm-operator', values), name))).toMatchObject({
        kind: 'run',
        rest: [],
      })
    }
  })
})

describe('rights', () => {
  const admissions = [
    { name: 'in its own pods', own: true, account: ACCOUNTS.webhook, program: 'webhook.ts' },
    { name: "in the operator's pods", own: false, account: ACCOUNTS.operator, program: 'manager.ts' },
  ]
  test.for(admissions)('the webhook $name may not do what it must to be trusted', async ({ own, account, program }) => {
    const operator = { healthPort: 0, metricsPort: 0 }
    await using stage = await setRights({ operator, webhook: { serverPort: 0, healthPort: 0, ownDeployment: own } })
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
    await using stage = await setRights(mergeValues(values, { operator: { healthPort: 0, metricsPort: 0 } }))
    const said = stage.start(ACCOUNTS.operator, 'manager.ts')
    const cluster = {
      nodesets: { one: {} },
      loginsets: { one: {} },
      tokens: { someone: {} },
      cluster: { enabled: true },
    }
    const objects = rendered('slurm', cluster).filter(({ kind }) => kind !== 'Pod')
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

/** Everything of the operator's chart but its pods; nobody answers for a webhook that is not running. */
function setRights(values: Values) {
  const withoutPods = /^(ServiceAccount|(Cluster)?Role(Binding)?|ValidatingWebhookConfiguration)$/
  const isAdmission = (kind: string) => kind.endsWith('WebhookConfiguration') && !('webhook' in values)
  return setStage(values, { isNeeded: ({ kind }) => withoutPods.test(kind) && !isAdmission(kind) })
}
