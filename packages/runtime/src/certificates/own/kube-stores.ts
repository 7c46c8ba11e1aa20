import {
  isFailure,
  mutatingWebhookConfigurationResource,
  secretResource,
  validatingWebhookConfigurationResource,
  type Client,
} from '@slurm-operator/kube'
import type { BundleTarget } from './bundle-patch.ts'
import type { BundleStore, SecretStore, WriteResult } from './stores.ts'

/** Where the Secret is. */
export interface SecretPlace {
  readonly namespace: string
  readonly name: string
  /** For a Secret that is made new. */
  readonly labels?: Readonly<Record<string, string>>
}

/** The Secret of an API server. It needs the verbs get, create and patch. */
export function createSecretStore(client: Client, { namespace, name, labels = {} }: SecretPlace): SecretStore {
  const secrets = client.resource(secretResource)
  return {
    async read(signal) {
      const secret = await secrets.find({ namespace, name }, { signal })
      if (secret === undefined) return undefined
      const { resourceVersion, annotations = {} } = secret.metadata
      return { resourceVersion, annotations, data: secret.data ?? {} }
    },
    async write({ resourceVersion, data }, signal) {
      if (resourceVersion === undefined) {
        const metadata = { namespace, name, labels }
        const secret = {
          apiVersion: 'v1',
          kind: 'Secret',
          type: 'kubernetes.io/tls',
          metadata,
          data: present(data),
        } as const
        return written(secrets.create(secret, { signal }), 'AlreadyExists')
      }
      const body = { metadata: { resourceVersion }, data }
      return written(secrets.patch({ namespace, name }, { type: 'merge', body }, { signal }), 'Conflict', 'NotFound')
    },
  }
}

/** Which webhook configurations call us. */
export interface ConfigurationNames {
  readonly validating?: readonly string[]
  readonly mutating?: readonly string[]
}

/** The webhook configurations of an API server. They need the verbs get and patch. */
export function createBundleStore(client: Client, { validating = [], mutating = [] }: ConfigurationNames): BundleStore {
  const validatings = client.resource(validatingWebhookConfigurationResource)
  const mutatings = client.resource(mutatingWebhookConfigurationResource)
  return {
    expected: validating.length + mutating.length,
    async read(signal) {
      const found = await Promise.all([
        ...validating.map((name) => validatings.find({ name }, { signal })),
        ...mutating.map((name) => mutatings.find({ name }, { signal })),
      ])
      return found.flatMap((configuration) => (configuration === undefined ? [] : [targetOf(configuration)]))
    },
    patch({ kind, name }, operations, signal) {
      const configurations = kind === 'ValidatingWebhookConfiguration' ? validatings : mutatings
      const patched = configurations.patch({ name }, { type: 'json', operations }, { signal })
      return written(patched, 'Conflict', 'NotFound', 'Invalid') // Invalid: a test in the patch failed
    },
  }
}

interface Configuration {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly webhooks?: readonly { readonly name: string; readonly clientConfig: { readonly caBundle?: string } }[]
}

function targetOf({ kind, metadata, webhooks = [] }: Configuration): BundleTarget {
  return {
    kind: kind === 'MutatingWebhookConfiguration' ? kind : 'ValidatingWebhookConfiguration',
    name: metadata.name,
    webhooks: webhooks.map(({ name, clientConfig: { caBundle } }) => ({
      name,
      ...(caBundle !== undefined && { caBundle }),
    })),
  }
}

async function written(
  write: Promise<unknown>,
  ...conflicts: readonly ('AlreadyExists' | 'Conflict' | 'NotFound' | 'Invalid')[]
): Promise<WriteResult> {
  try {
    await write
    return 'written'
  } catch (error) {
    if (isFailure(error, ...conflicts)) return 'conflict'
    throw error
  }
}

function present(data: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(data).flatMap(([name, text]) => (text === null ? [] : [[name, text]])))
}
