/**
 * The place of a worker in Slurm's topology, told before its first container starts.
 *
 * A pod is bound to its Kube node exactly once. The annotation of that Kube node is put on the binding, from where the
 * API server copies it to the pod, so nothing is written here and nothing is left behind when the binding is refused.
 * Every answer is yes: a topology that is missing is repaired later by the loop, a pod that cannot be bound is not.
 *
 * @module
 */
import { annotationKeys, components, labelKeys } from '@slurm-operator/api'
import { isJsonObject, type JsonObject, type JsonPatch, type JsonValue } from '@slurm-operator/kube'
import { allowed, type Logger, type ReviewRequest } from '@slurm-operator/runtime'
import type { Marks, ReferenceReader } from './reference-reader.ts'
import type { Reading } from './reading.ts'

/** Judge the binding of a pod. */
export async function judgeBinding(
  request: ReviewRequest,
  reader: Pick<ReferenceReader, 'podMarks' | 'kubeNodeMarks'>,
  log: Logger,
): Promise<BindingVerdict> {
  const binding = readBinding(request)
  if (binding === undefined) return allowed
  const pod = seen(await reader.podMarks(binding.pod), `pod ${binding.pod.name}`, log)
  if (pod?.labels[labelKeys.app] !== components.worker.app) return allowed
  const kubeNode = seen(await reader.kubeNodeMarks(binding.kubeNode), `node ${binding.kubeNode}`, log)
  if (kubeNode === undefined) return allowed
  const topology = kubeNode.annotations[annotationKeys.topology] ?? ''
  return { ...allowed, patch: planPatch(binding.metadata, topology) }
}

type BindingVerdict = typeof allowed & { readonly patch?: JsonPatch }

function planPatch(metadata: JsonObject, topology: string): JsonPatch {
  const key = annotationKeys.topology
  if (!isJsonObject(metadata['annotations']))
    return [{ op: 'add', path: '/metadata/annotations', value: { [key]: topology } }]
  return [
    { op: 'add', path: `/metadata/annotations/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, value: topology },
  ]
}

interface Binding {
  readonly pod: { readonly namespace: string; readonly name: string }
  readonly kubeNode: string
  readonly metadata: JsonObject
}

/** What is bound to what; undefined for everything that is no binding to a Kube node. */
function readBinding({ object, namespace, name, subResource }: ReviewRequest): Binding | undefined {
  if (subResource !== 'binding' || !isJsonObject(object)) return undefined
  const { metadata, target } = object
  if (!isJsonObject(metadata) || !isJsonObject(target)) return undefined
  const podName = name ?? textOf(metadata['name'])
  const kubeNode = textOf(target['name'])
  if (!namespace || !podName || !kubeNode || (target['kind'] ?? 'Node') !== 'Node') return undefined
  return { pod: { namespace, name: podName }, kubeNode, metadata }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** What could not be read is told to people who look after the webhook, and stops nobody. */
function seen(reading: Reading<Marks>, what: string, log: Logger): Marks | undefined {
  if (reading.kind === 'unknown') {
    log.warn(`cannot read ${what}, its topology is set later`, { because: reading.because })
  }
  return reading.kind === 'seen' ? reading.value : undefined
}
