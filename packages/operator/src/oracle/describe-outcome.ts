/**
 * What an operator made of the objects in a namespace, as texts that can be compared: children and status, without what
 * differs between any two runs.
 *
 * @module
 */
import { kinds, resourceOf, type OurKind } from '@slurm-operator/api'
import type { Client, KubeObject, Live, Resource } from '@slurm-operator/kube'
import { childResources } from '../testing/child-resources.ts'

/** Claims outlive what they were made for: those of an earlier edit may stay. */
const compared = childResources.filter(({ kind }) => kind !== 'PersistentVolumeClaim')

type Described = Live<KubeObject> & { readonly status?: unknown }

/** One line for each child and for the status of each object of ours. */
export async function describeOutcome(client: Client, namespace: string): Promise<readonly string[]> {
  const read = async (
    resource: Resource<KubeObject>,
    describe: (item: Described, kind: string) => object | undefined,
  ) => {
    const { items } = await client.resource(resource).list({ namespace })
    return items.flatMap((item) => describe(item, resource.kind) ?? [])
  }
  const ours = Object.keys(kinds).map((kind) => resourceOf<KubeObject>(kinds[kind as OurKind]))
  const found = await Promise.all([
    ...compared.map((resource) => read(resource, describeChild)),
    ...ours.map((resource) => read(resource, describeStatus)),
  ])
  return found
    .flat()
    .map((one) => withoutFirstDay(withoutTimes(JSON.stringify(one))).replaceAll(namespace, 'NAMESPACE'))
    .sort()
}

function describeChild({ metadata, status: _status, ...rest }: Described, kind: string): object | undefined {
  const { name, labels, annotations, ownerReferences = [] } = metadata
  if (ownerReferences.length === 0) return undefined
  const owners = ownerReferences.map(({ kind: of, name: who, controller }) => ({ of, who, controller }))
  // Pods and revisions have those of their first day: new labels of a NodeSet are no reason to replace its workers.
  const marks = kind === 'Pod' || kind === 'ControllerRevision' ? {} : { labels, annotations }
  return { kind, metadata: { name, ...marks, owners }, ...withoutAllocated(rest, kind, name) }
}

function describeStatus({ metadata: { name }, status }: Described, kind: string): object {
  return { kind, name, status }
}

/** A copy that may be cut. */
interface Loose {
  spec?: Record<string, unknown> & { ports?: Record<string, unknown>[] }
  data?: unknown
  revision?: unknown
}

/** Addresses, random keys and tokens, how often a template has changed, and what nobody can change in a StatefulSet. */
function withoutAllocated(rest: object, kind: string, name: string): object {
  const copy = JSON.parse(JSON.stringify(rest)) as Loose
  for (const field of ['clusterIP', 'clusterIPs', 'healthCheckNodePort'])
    if (kind === 'Service' && copy.spec?.[field] !== 'None') delete copy.spec?.[field]
  for (const port of kind === 'Service' ? (copy.spec?.ports ?? []) : []) delete port['nodePort']
  if (kind === 'Secret' && !name.endsWith('-accounting')) delete copy.data
  if (kind === 'ControllerRevision') delete copy.revision
  if (kind === 'StatefulSet') delete copy.spec?.['volumeClaimTemplates']
  return copy
}

/** Moments, generations, and hashes of what is random. */
function withoutTimes(text: string): string {
  return (
    text
      .replaceAll(
        /"([a-z.]*slurm.net\/)?(ssh-host-keys|slurm-config|slurm-restart|registration|slurmdbd-conf)-hash":"[^"]*"/g,
        '"hash":""',
      )
      // A worker keeps the reference to the key that it was made with: admission refuses another Secret.
      .replaceAll(
        /"secret":\{"name":"[^"]*","items":\[\{"key":"[^"]*","path":"slurm.key"\}\](,"optional":\w+)?\}/g,
        '"slurm.key"',
      )
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
      .replaceAll('"status":"Unknown","type":"Ready"', '"status":"False","type":"Ready"') // what the very first pass says
      .replaceAll(/"observedGeneration":\d+/g, '"observedGeneration":0')
  )
}

/** A worker keeps the address of slurmctld that it was made with: another one is no reason to replace it. */
function withoutFirstDay(text: string): string {
  return text.startsWith('{"kind":"Pod"') ? text.replaceAll(/"--conf-server","[^"]*"/g, '"--conf-server"') : text
}

/** Where two outcomes differ; nothing if they do not. */
export function findDifferences(one: readonly string[], other: readonly string[]): readonly string[] {
  const [only, missing] = [one.filter((text) => !other.includes(text)), other.filter((text) => !one.includes(text))]
  const pairs = only.map((text) => {
    const near = missing.find((candidate) => candidate.slice(0, 60) === text.slice(0, 60))
    return near === undefined ? `only after edits: ${text.slice(0, 300)}` : firstDifference(text, near)
  })
  const alone = missing.filter((text) => !only.some((candidate) => candidate.slice(0, 60) === text.slice(0, 60)))
  return [...pairs, ...alone.map((text) => `only when fresh: ${text.slice(0, 300)}`)]
}

function firstDifference(one: string, other: string): string {
  const at = Array.from({ length: one.length }, (_, index) => index).find((index) => one[index] !== other[index]) ?? 0
  const around = (text: string) => text.slice(Math.max(0, at - 200), at + 200)
  return `${one.slice(0, 60)} … after edits …${around(one)}… when fresh …${around(other)}…`
}
