/**
 * The few things that rules must know about other objects. Always read from the server, never from a cache: whoever
 * applies a ConfigMap and a Controller one after the other must not be told that the first does not exist.
 *
 * @module
 */
import {
  configMapResource,
  nodeResource,
  persistentVolumeClaimResource,
  podResource,
  type Client,
  type Clock,
  type ObjectKey,
} from '@slurm-operator/kube'
import { nodeSetResource, type NodeSet } from '@slurm-operator/api'
import { look, type Reading } from './reading.ts'

/** Labels and annotations of an object. */
export interface Marks {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

/** Who looks at other objects for the rules. Nothing of it throws, and everything has a deadline. */
export interface ReferenceReader {
  /** The keys of a ConfigMap. */
  readonly configMapKeys: (key: ObjectKey) => Promise<Reading<readonly string[]>>
  /** The access modes of a claim. */
  readonly claimAccessModes: (key: ObjectKey) => Promise<Reading<readonly string[]>>
  /** All NodeSets of a namespace. */
  readonly nodeSets: (namespace: string) => Promise<Reading<readonly NodeSet[]>>
  readonly podMarks: (key: ObjectKey) => Promise<Reading<Marks>>
  readonly kubeNodeMarks: (name: string) => Promise<Reading<Marks>>
}

/** A reader of an API server. It needs get on configmaps, persistentvolumeclaims, pods and nodes, and list on nodesets. */
export function createReferenceReader(client: Client, clock: Clock): ReferenceReader {
  const configMaps = client.resource(configMapResource)
  const claims = client.resource(persistentVolumeClaimResource)
  const nodeSets = client.resource(nodeSetResource)
  const [pods, kubeNodes] = [client.metadata(podResource), client.metadata(nodeResource)]
  return {
    configMapKeys: (key) =>
      look(clock, `ConfigMap ${key.name}`, async (signal) => {
        const found = await configMaps.find(key, { signal })
        return found && [...Object.keys(found.data ?? {}), ...Object.keys(found.binaryData ?? {})]
      }),
    claimAccessModes: (key) =>
      look(clock, `PersistentVolumeClaim ${key.name}`, async (signal) => {
        const found = await claims.find(key, { signal })
        return found && (found.spec?.accessModes ?? [])
      }),
    nodeSets: (namespace) =>
      look(clock, `NodeSets of ${namespace}`, async (signal) => (await nodeSets.list({ namespace, signal })).items),
    podMarks: (key) => look(clock, `Pod ${key.name}`, async (signal) => marksOf(await pods.find(key, { signal }))),
    kubeNodeMarks: (name) =>
      look(clock, `Node ${name}`, async (signal) => marksOf(await kubeNodes.find({ name }, { signal }))),
  }
}

interface Marked {
  readonly metadata: { readonly labels?: Marks['labels']; readonly annotations?: Marks['annotations'] }
}

function marksOf(object: Marked | undefined): Marks | undefined {
  return object && { labels: object.metadata.labels ?? {}, annotations: object.metadata.annotations ?? {} }
}
