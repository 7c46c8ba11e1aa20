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
import { isJsonObject, type Clock, type JsonObject, type JsonPatch, type JsonValue } from '@slurm-operator/kube'
import { allowed, withDeadline, type Logger, type ReviewRequest } from '@slurm-operator/runtime'
import type { Marks, ReferenceReader } from './reference-reader.ts'
import type { Reading } from './reading.ts'

/** Below the shortest time-out that a webhook configuration can have: an answer that is late is a no. */
const WITHIN_MS = 800

/** What judging a binding takes. */
export interface BindingTools {
  readonly reader: Pick<ReferenceReader, 'podMarks' | 'kubeNodeMarks'>
  readonly clock: Clock
  readonly log: Logger
}

/** Judge the binding of a pod. */
export async function judgeBinding(request: ReviewRequest, tools: BindingTools): Promise<BindingVerdict> {
  const { clock, log } = tools
  const binding = readBinding(request)
  if (binding === undefined) return allowed
  try {
    const limit = { clock, withinMs: WITHIN_MS }
    const topology = await withDeadline('read a topology', limit, () => readTopology(binding, tools))
    return topology === undefined ? allowed : { ...allowed, patch: planPatch(binding.metadata, topology) }
  } catch (error) {
    log.warn('a pod is bound without its topology, which is set later', { pod: binding.pod, error })
    return allowed
  }
}

/** The topology that a worker gets; undefined if it is none, or if nobody knows. */
async function readTopology({ pod, kubeNode }: Binding, { reader, log }: BindingTools): Promise<string | undefined> {
  const podMarks = seen(await reader.podMarks(pod), `pod ${pod.name}`, log)
  if (podMarks?.labels[labelKeys.app] !== components.worker.app) return undefined
  const marks = seen(await reader.kubeNodeMarks(kubeNode), `node ${kubeNode}`, log)
  return marks && (marks.annotations[annotationKeys.topology] ?? '')
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
