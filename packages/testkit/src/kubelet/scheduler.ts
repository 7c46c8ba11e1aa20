/**
 * The scheduler: pods without a node get the first moment after which one fits, and one of those by chance.
 *
 * @module
 */
import { nodeResource, podResource, printTime, type Live, type Node, type Pod } from '@slurm-operator/kube'
import { later, type Parts } from './parts.ts'
import { whyNotOnNode } from './why-not-on-node.ts'

/** Asks for a round; several wishes are one. */
export function createScheduler(parts: Parts): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    later(parts, parts.pace.scheduling, async () => {
      isDue = false
      await placeAll(parts)
    })
  }
}

async function placeAll(parts: Parts): Promise<void> {
  const nodes = parts.server.all(nodeResource)
  const pods = parts.server.all(podResource)
  const placed = pods.filter(({ spec, status }) => spec?.nodeName !== undefined && !isOver(status?.phase))
  for (const pod of pods) {
    if (pod.spec?.nodeName !== undefined || pod.metadata.deletionTimestamp !== undefined) continue
    const node = chooseNode(parts, pod, nodes, placed)
    if (node === undefined) await tellUnschedulable(parts, pod)
    else {
      placed.push({ ...pod, spec: { ...pod.spec, nodeName: node } as NonNullable<Pod['spec']> })
      await bind(parts, pod, node)
    }
  }
}

function isOver(phase: string | undefined): boolean {
  return phase === 'Failed' || phase === 'Succeeded'
}

function chooseNode(
  { random }: Parts,
  pod: Pod,
  nodes: readonly Node[],
  placed: readonly Live<Pod>[],
): string | undefined {
  const fitting = nodes.filter((node) => {
    const there = placed.filter(({ spec }) => spec?.nodeName === node.metadata.name)
    return whyNotOnNode(pod, node, there) === undefined
  })
  return fitting.length === 0 ? undefined : random.pick(fitting).metadata.name
}

async function bind({ client }: Parts, { metadata }: Live<Pod>, node: string): Promise<void> {
  const { name, namespace, uid } = metadata
  await client.resource(podResource).binding.create(
    { name, namespace },
    {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, ...(namespace !== undefined && { namespace }), uid },
      target: { apiVersion: 'v1', kind: 'Node', name: node },
    },
  )
}

async function tellUnschedulable({ client, clock }: Parts, { metadata, status }: Live<Pod>): Promise<void> {
  if (status?.conditions?.some(({ type }) => type === 'PodScheduled') === true) return
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    reason: 'Unschedulable',
    message: 'no Kube node fits',
    lastTransitionTime: printTime(clock.now()),
  }
  const { name, namespace } = metadata
  await client
    .resource(podResource)
    .status.patch({ name, namespace }, { type: 'strategic', body: { status: { conditions: [condition] } } })
}
