import {
  mutatingWebhookConfigurationResource,
  validatingWebhookConfigurationResource,
  type Client,
} from '@slurm-operator/kube'

/** Test data: where the API server finds the webhooks, and how it asks. */
export interface HookPlace {
  readonly port: number
  readonly bindingPort: number
  readonly version: 'v1' | 'v1beta1'
}

const NAME = 'hooks'

/** Write both configurations, as the chart does; what the program wrote into them stays. */
export async function installHooks(client: Client, { port, bindingPort, version }: HookPlace): Promise<void> {
  const fieldManager = 'test'
  const metadata = { name: NAME }
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const validating = ['accounting', 'controller', 'loginset', 'nodeset', 'restapi', 'token'].map((kind) => ({
    name: `${kind}-v1beta1.kb.io`,
    clientConfig: { service: serviceOf(port, `/validate-slinky-slurm-net-v1beta1-${kind}`) },
    rules: [ruleOf('slinky.slurm.net', 'v1beta1', `${kind}s`, ['CREATE', 'UPDATE'])],
    objectSelector: { matchExpressions: [{ key: 'unjudged', operator: 'DoesNotExist' }] },
    admissionReviewVersions: [version],
    ...{ sideEffects: 'None' as const, failurePolicy: 'Fail' as const, timeoutSeconds: 10 },
  }))
  await client
    .resource(validatingWebhookConfigurationResource)
    .apply(
      { apiVersion, kind: 'ValidatingWebhookConfiguration', metadata, webhooks: validating },
      { fieldManager, force: true },
    )
  const binding = {
    name: 'podsbinding-v1.kb.io',
    clientConfig: { service: serviceOf(bindingPort, '/mutate--v1-binding') },
    rules: [ruleOf('', 'v1', 'pods/binding', ['CREATE'])],
    admissionReviewVersions: ['v1'],
    ...{ sideEffects: 'NoneOnDryRun' as const, failurePolicy: 'Ignore' as const, timeoutSeconds: 5 },
  }
  await client
    .resource(mutatingWebhookConfigurationResource)
    .apply(
      { apiVersion, kind: 'MutatingWebhookConfiguration', metadata, webhooks: [binding] },
      { fieldManager, force: true },
    )
}

function serviceOf(port: number, path: string) {
  return { namespace: 'slurm', name: 'webhook', port, path }
}

function ruleOf(group: string, version: string, plural: string, operations: ('CREATE' | 'UPDATE')[]) {
  return { apiGroups: [group], apiVersions: [version], resources: [plural], operations }
}
