/**
 * Kube nodes and the machines behind them: they come, go, lose their power, are cordoned and tainted.
 *
 * @module
 */
import { nodeResource, podResource, printTime, type Live, type Node, type Taint } from '@slurm-operator/kube'
import { later, type Parts } from './parts.ts'
import type { PodLives } from './pod-life.ts'
import { staysForSeconds } from './why-not-on-node.ts'

const UNREACHABLE = 'node.kubernetes.io/unreachable'
const UNSCHEDULABLE = 'node.kubernetes.io/unschedulable'

/** What people, clouds and accidents do to Kube nodes. */
export interface MachineHands {
  addNode(name: string, labels?: Readonly<Record<string, string>>): Promise<void>
  /** The object goes; its pods are collected later. The machine goes with it. */
  removeNode(name: string): Promise<void>
  cordon(name: string): Promise<void>
  uncordon(name: string): Promise<void>
  taint(name: string, taint: Taint): Promise<void>
  untaint(name: string, key: string): Promise<void>
  annotate(name: string, annotations: Readonly<Record<string, string | null>>): Promise<void>
  /** Everything on it dies at once. The control plane notices later, and removes its pods much later. */
  cutPower(name: string): void
  restorePower(name: string): Promise<void>
}

/** See the module. */
export function createMachineHands(parts: Parts, lives: PodLives): MachineHands {
  const nodes = parts.client.resource(nodeResource)
  const change = async (name: string, edit: (node: Live<Node>) => object): Promise<void> => {
    const present = parts.server.find(nodeResource, { name })
    if (present !== undefined) await nodes.patch({ name }, { type: 'merge', body: edit(present) })
  }
  const setTaint = (name: string, key: string, taints: readonly Taint[], more: object = {}): Promise<void> =>
    change(name, ({ spec }) => {
      const others = (spec?.taints ?? []).filter((one) => one.key !== key)
      return { spec: { ...more, taints: [...others, ...taints] } }
    })
  return {
    addNode: async (name, labels = {}) => {
      parts.dark.delete(name)
      await nodes.create(buildNode(name, labels, parts))
    },
    removeNode: async (name) => {
      parts.dark.add(name)
      lives.cutPower(name)
      await nodes.delete({ name })
      later(parts, parts.pace.collectingPods, () => collectPods(parts, name))
    },
    cordon: (name) =>
      setTaint(name, UNSCHEDULABLE, [{ key: UNSCHEDULABLE, effect: 'NoSchedule' }], { unschedulable: true }),
    uncordon: (name) => setTaint(name, UNSCHEDULABLE, [], { unschedulable: null }),
    taint: async (name, taint) => {
      await setTaint(name, taint.key, [taint])
      if (taint.effect === 'NoExecute') await evictByTaint(parts, name, taint)
    },
    untaint: (name, key) => setTaint(name, key, []),
    annotate: (name, annotations) => change(name, () => ({ metadata: { annotations } })),
    cutPower: (name) => {
      parts.dark.add(name)
      lives.cutPower(name)
      later(parts, parts.pace.missingMachine, () => believeMissing(parts, name, setTaint))
    },
    restorePower: async (name) => {
      if (!parts.dark.delete(name)) return
      await setTaint(name, UNREACHABLE, [])
      await writeReady(parts, name, true)
      lives.restorePower(name)
    },
  }
}

function buildNode(name: string, labels: Readonly<Record<string, string>>, { clock }: Parts): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec: {},
    status: { conditions: [readyCondition(true, printTime(clock.now()))] },
  }
}

function readyCondition(isReady: boolean, now: string) {
  return { type: 'Ready', status: isReady ? 'True' : 'Unknown', lastTransitionTime: now } as const
}

async function writeReady({ client, clock, server }: Parts, name: string, isReady: boolean): Promise<void> {
  if (server.find(nodeResource, { name }) === undefined) return
  const body = { status: { conditions: [readyCondition(isReady, printTime(clock.now()))] } }
  await client.resource(nodeResource).status.patch({ name }, { type: 'merge', body })
}

async function believeMissing(
  parts: Parts,
  name: string,
  setTaint: (name: string, key: string, taints: readonly Taint[]) => Promise<void>,
): Promise<void> {
  if (!parts.dark.has(name) || parts.server.find(nodeResource, { name }) === undefined) return
  const taint: Taint = { key: UNREACHABLE, effect: 'NoExecute' }
  await writeReady(parts, name, false)
  await setTaint(name, UNREACHABLE, [{ ...taint, effect: 'NoSchedule' }, taint])
  for (const pod of podsOn(parts, name)) {
    const condition = { type: 'Ready', status: 'False', lastTransitionTime: printTime(parts.clock.now()) }
    const { name: podName, namespace } = pod.metadata
    await parts.client
      .resource(podResource)
      .status.patch({ name: podName, namespace }, { type: 'strategic', body: { status: { conditions: [condition] } } })
  }
  await evictByTaint(parts, name, taint)
}

/** Pods that do not tolerate a taint are deleted, some of them after a while. */
async function evictByTaint(parts: Parts, name: string, taint: Taint): Promise<void> {
  for (const pod of podsOn(parts, name)) {
    const seconds = staysForSeconds(pod, taint)
    if (seconds === undefined) continue
    const { uid, name: podName, namespace } = pod.metadata
    later(parts, [seconds * 1000, seconds * 1000], async () => {
      const taints = parts.server.find(nodeResource, { name })?.spec?.taints ?? []
      if (!taints.some(({ key, effect }) => key === taint.key && effect === 'NoExecute')) return
      await parts.client.resource(podResource).delete({ name: podName, namespace }, { preconditions: { uid } })
    })
  }
}

async function collectPods(parts: Parts, name: string): Promise<void> {
  if (parts.server.find(nodeResource, { name }) !== undefined) return
  for (const { metadata } of podsOn(parts, name)) {
    const key = { name: metadata.name, namespace: metadata.namespace }
    await parts.client.resource(podResource).delete(key, { gracePeriodSeconds: 0 })
  }
}

function podsOn({ server }: Parts, node: string) {
  return server.all(podResource).filter(({ spec }) => spec?.nodeName === node)
}
