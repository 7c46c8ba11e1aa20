/**
 * Rendered objects on a real API server, for tests. They are of any kind, so the server says where each belongs.
 *
 * @module
 */
import { defineResource, discover, KubeError, type Client, type Resource } from '@slurm-operator/kube'
import { until } from '@slurm-operator/local'
import type { Rendered } from './read-rendered.ts'

/** Apply an object; says `accepted`, or what the server had against it. */
export type Apply = (object: Rendered, options?: { readonly dryRun?: boolean }) => Promise<string>

/** An applier that knows the kinds of these groups; waits until the server does. */
export async function createApply(client: Client, groups: Readonly<Record<string, number>> = {}): Promise<Apply> {
  const kinds = await until('the kinds', () => findKinds(client, groups), { timeoutMs: 60_000 })
  return async (object, { dryRun = false } = {}) => {
    const resource = kinds.get(`${object.apiVersion} ${object.kind}`)
    if (resource === undefined) return `${object.kind} ${object.metadata.name}: the server has no such kind`
    try {
      const options = { fieldManager: 'test', fieldValidation: 'Strict', force: true, dryRun } as const
      await client.resource(resource).apply(object, options)
      return 'accepted'
    } catch (error) {
      if (error instanceof KubeError) return `${object.kind} ${object.metadata.name}: ${error.message}`
      throw error
    }
  }
}

type Kinds = ReadonlyMap<string, Resource<Rendered>>

async function findKinds(client: Client, wanted: Readonly<Record<string, number>>): Promise<Kinds | undefined> {
  const resources = (await discover(client)).flatMap(({ versions }) => versions.flatMap((version) => version.resources))
  const isThere = ([group, count]: [string, number]) => resources.filter((one) => one.group === group).length >= count
  if (!Object.entries(wanted).every(isThere)) return undefined
  return new Map(
    resources.map(({ group, version, plural, kind, namespaced }) => [
      `${group === '' ? version : `${group}/${version}`} ${kind}`,
      defineResource<Rendered>({ group, version, plural, kind, namespaced }),
    ]),
  )
}

/** A namespace with labels. */
export function namespace(name: string, labels: Readonly<Record<string, string>> = {}): Rendered {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }
}

/** A kind of another project, as far as we care: it accepts anything. */
export function anyKind({ group, kind, plural }: Pick<Resource<Rendered>, 'group' | 'kind' | 'plural'>): Rendered {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  }
}

/** Kinds of cert-manager: what we render for it is compared elsewhere. */
export const certManagerKinds: readonly Rendered[] = ['Certificate', 'Issuer'].map((kind) =>
  anyKind({ group: 'cert-manager.io', kind, plural: `${kind.toLowerCase()}s` }),
)
