/**
 * Makes the picture of one NodeSet: everything from the caches and the shared Slurm view, at one moment. A pass with nothing
 * new costs no request.
 *
 * @module
 */
import { withNodeSetDefaults, type NodeSet, type NodeSetWithDefaults } from '@slurm-operator/api'
import { findTime, type CallOptions, type ObjectKey } from '@slurm-operator/kube'
import { keyText } from '@slurm-operator/runtime'
import type { SlurmConnection, SlurmReader } from '@slurm-operator/slurm'
import { readSpec } from '../component/read-spec.ts'
import type { Obstacle } from '../component/room.ts'
import { instanceText } from '../world/indexes.ts'
import { oncePerObject } from '../world/once-per-object.ts'
import type { Kept, KeptPod } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import type { FailureMemory } from './failure-memory.ts'
import { observeKubeNodes } from './observe-kube-nodes.ts'
import { observeReservation } from './observe-reservation.ts'
import { observeRevisions } from './observe-revisions.ts'
import { nothingShared, observeShared, type ObservedShared } from './observe-shared.ts'
import { indexOf, listFacts, nodesOf, type SlurmIndex } from './observe-slurm.ts'
import { impossible, observeTemplate, type ObservedTemplate } from './observe-template.ts'
import { claimPods } from './picture-claim-pods.ts'
import { findLeftovers } from './picture-pod-info.ts'
import { readWanted } from './picture-wanted.ts'
import { hasOtherName, readWorker, type WorkerSources } from './picture-worker.ts'
import type { Before, Claim, Picture, Wanted, Worker } from './picture.ts'

/** What acting and reporting need besides the picture. */
export interface Observed {
  readonly picture: Picture
  readonly nodeSet: Kept<NodeSetWithDefaults>
  readonly template: ObservedTemplate['template']
  readonly shared: ObservedShared
  readonly connection: SlurmConnection | undefined
  /** Worker pods by name, for preconditions and Events. */
  readonly pods: ReadonlyMap<string, KeptPod>
}

/** See the module. */
export async function observe(
  key: ObjectKey,
  world: World,
  failures: FailureMemory,
  options: CallOptions,
): Promise<Observed | 'gone'> {
  const stored = world.caches.nodeSets.get(key)
  if (stored === undefined) return 'gone'
  const { nodeSet, wanted, before, wrong } = readNodeSet(stored)
  const slurmKey = keyText({ namespace: wanted.namespace, name: wanted.controllerName })
  const connection = world.slurm.find(slurmKey)
  const { facts, template } =
    wrong === undefined ? await observeTemplate(nodeSet, world, options) : impossible('InputsUnreadable', wrong.because)
  const shared = wrong === undefined ? await observeShared(nodeSet, world, options) : nothingShared
  const reservation = await observeReservation(connection, wanted, before, world.clock.now())
  const nowMs = world.clock.now() // from here on nothing is waited for
  const reader = world.slurm.reader(slurmKey)
  const slurmNodes = reader.nodes()
  const pods = podsOf(wanted, world)
  const { claimed, stray, others } = claimPods(pods, wanted)
  const index = indexOf(slurmNodes)
  const workers = readWorkers(claimed, wanted, { reader, index, failures })
  const picture: Picture = {
    ...{
      nowMs,
      wanted,
      workers,
      reservation,
      before,
      template: facts,
      shared: shared.facts,
      strayPods: stray,
      othersPods: others,
    },
    kubeNodes: observeKubeNodes(world),
    claims: claimsOf(wanted, world),
    leftovers: findLeftovers(nodesOf(slurmNodes, index, wanted), wanted, workers),
    slurmList: listFacts(slurmNodes, { nowMs, wholeAgeMs: reader.wholeListAgeMs() }),
    revisions: observeRevisions(nodeSet, world),
    propagatedConditions: world.propagatedConditions,
  }
  return { picture, nodeSet, template, shared, connection, pods: new Map(pods.map((pod) => [pod.metadata.name, pod])) }
}

/** What a NodeSet says by itself. */
interface Reading {
  readonly nodeSet: Kept<NodeSetWithDefaults>
  readonly wanted: Wanted
  readonly before: Before
  readonly wrong: Obstacle | undefined
}

/** It is read once for each version: a pass looks up to three times, and most passes come because of a pod or of Slurm. */
const readNodeSet = oncePerObject((stored: Kept<NodeSet>): Reading => {
  const { object: sound, obstacles } = readSpec('NodeSet', stored)
  const nodeSet: Kept<NodeSetWithDefaults> = withNodeSetDefaults(sound)
  return { nodeSet, wanted: readWanted(nodeSet), before: readBefore(nodeSet), wrong: obstacles[0] }
})

/** Those with our labels, and those that we own and whose labels somebody changed. */
function podsOf({ namespace, name, uid }: Wanted, { caches }: World): readonly KeptPod[] {
  const labelled = caches.pods.by('instance', instanceText(namespace, 'slurmd', name))
  const owned = caches.pods.by('owner', uid)
  return [...new Map([...labelled, ...owned].map((pod) => [pod.metadata.uid, pod])).values()]
}

/** What a pod says by itself is read once for each version of it: most pods are as they were in the pass before. */
const known = new WeakMap<KeptPod, Worker>()

function readWorkers(
  pods: readonly KeptPod[],
  wanted: Wanted,
  { reader, index, failures }: { reader: SlurmReader; index: SlurmIndex; failures: FailureMemory },
): Worker[] {
  const sources: WorkerSources = {
    slurmNode: (name) => reader.node(name),
    jobsOn: (name) => reader.jobsOn(name),
    namesAtAddress: (address) => index.namesAtAddress.get(address) ?? [],
    failuresBefore: (worker) => failures.count(wanted, worker),
  }
  return pods.map((pod) => readAgain(pod, sources))
}

function readAgain(pod: KeptPod, sources: WorkerSources): Worker {
  const before = known.get(pod)
  if (before === undefined || hasOtherName(before, sources)) {
    const worker = readWorker(pod, sources)
    known.set(pod, worker)
    return worker
  }
  return {
    ...before,
    slurmNode: sources.slurmNode(before.slurmName),
    jobs: sources.jobsOn(before.slurmName),
    joinedAs: undefined,
    failuresBefore: sources.failuresBefore(before),
  }
}

/** By their names: somebody may have made, or restored, a claim without our labels. */
function claimsOf({ namespace, name, claimTemplates }: Wanted, { caches }: World): ReadonlyMap<string, Claim> {
  if (claimTemplates.length === 0) return new Map()
  const prefixes = claimTemplates.map((template) => `${template}-${name}-`)
  const found = caches.claims.by('namespace', namespace)
  const ours = found.filter(({ metadata }) => prefixes.some((prefix) => metadata.name.startsWith(prefix)))
  return new Map(
    ours.map(({ metadata }) => {
      const { ownerReferences = [], deletionTimestamp } = metadata
      return [metadata.name, { name: metadata.name, terminating: deletionTimestamp !== undefined, ownerReferences }]
    }),
  )
}

function readBefore({ status }: Kept<NodeSetWithDefaults>): Before {
  const { slurmIdle = 0, slurmAllocated = 0, slurmDown = 0, slurmDrain = 0 } = status ?? {}
  return {
    ordinalToNode: status?.ordinalToNode ?? {},
    reservationStartsAtMs: findTime(status?.reservation?.startTime),
    collisionCount: status?.collisionCount ?? 0,
    nodeSetHash: status?.nodeSetHash ?? '',
    slurmCounters: { slurmIdle, slurmAllocated, slurmDown, slurmDrain },
    conditions: status?.conditions ?? [],
    waiting: status?.waiting ?? [],
  }
}
