/**
 * Test data of this room.
 *
 * @module
 */
import { API_GROUP_VERSION, type Controller, type ControllerSpec } from '@slurm-operator/api'
import type { KubeObject, Pod, Secret, StatefulSet } from '@slurm-operator/kube'
import { passThrough } from '../testing/build-in-still-world.ts'
import { stored } from '../testing/still-server.ts'
import type { StillOptions } from '../testing/still-world.ts'
import type { Kept, KeptPod } from '../world/trim.ts'
import { controllerRoom } from './room.ts'

export const NAMESPACE = 'hpc'

/** The spec of a Controller that lacks nothing. */
const soundSpec = {
  slurmKeyRef: { name: 'slurm-key', key: 'slurm.key' },
  jwtKeyRef: { name: 'jwt-key', key: 'jwt.key' },
  slurmctld: { image: 'slurmctld:1' },
  logfile: { image: 'logfile:1' },
} as const satisfies ControllerSpec

/** A Controller named `prod`. */
export function aController(spec: Partial<ControllerSpec> = {}, metadata: object = {}): Controller {
  return {
    apiVersion: API_GROUP_VERSION,
    kind: 'Controller',
    metadata: { name: 'prod', namespace: NAMESPACE, ...metadata },
    spec: { ...soundSpec, ...spec },
  }
}

/** A Secret with one entry. */
export function aSecret(name: string, key: string, text = 'secret'): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    data: { [key]: Buffer.from(text).toString('base64') },
  }
}

/** Both keys. */
export const keys: readonly Secret[] = [aSecret('slurm-key', 'slurm.key'), aSecret('jwt-key', 'jwt.key')]

/** Any other object of a test. */
export function anObject(kind: string, name: string, rest: object = {}): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: NAMESPACE }, ...rest }
}

/** Observe and build `prod` among these objects. */
export function pass(
  controller: Controller,
  objects: readonly object[] = keys,
  more: Partial<StillOptions> & { readonly nowMs?: number } = {},
) {
  return passThrough(controllerRoom, controller, { objects, namespace: NAMESPACE, ...more })
}

/** The child of this kind and name. */
export function child<T extends KubeObject>(children: readonly KubeObject[], kind: T['kind'], name: string): T {
  const found = children.find((each) => each.kind === kind && each.metadata.name === name)
  if (found === undefined)
    throw new Error(`There is no ${kind} ${name} among ${children.map((each) => each.kind).join(' ')}.`)
  return found as T
}

/** When tests happen. */
export const NOW = Date.parse('2026-06-01T12:00:00Z')
const EARLIER = '2026-06-01T10:00:00Z'

/** What to vary about a pod. */
export interface PodTraits {
  readonly ordinal?: number
  readonly ready?: boolean
  readonly revision?: string
  readonly leaving?: boolean
  readonly marked?: boolean
  readonly annotations?: Readonly<Record<string, string>>
  readonly createdAt?: string
  readonly lastWords?: string
  readonly endedAt?: string
  readonly repeated?: boolean
  readonly readySince?: string
  readonly hasNoPlace?: boolean
  /** Of slurmctld. */
  readonly startedAt?: string
  readonly restarts?: number
}

/** A slurmctld pod of `prod`. */
export function aPod(traits: PodTraits = {}): KeptPod {
  const { ordinal = 0, ready = true, revision = 'new', leaving = false, marked = true, lastWords } = traits
  const labels = {
    'app.kubernetes.io/name': 'slurmctld',
    'app.kubernetes.io/instance': 'prod',
    'controller-revision-hash': revision,
    ...(marked && { 'controller.slinky.slurm.net/active': 'true' }),
  }
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `prod-controller-${ordinal}`,
      creationTimestamp: traits.createdAt ?? EARLIER,
      labels,
      ...(traits.annotations && { annotations: traits.annotations }),
      ...(leaving && { deletionTimestamp: EARLIER }),
    },
    spec: { containers: [] },
    status: {
      conditions: [
        { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: traits.readySince ?? EARLIER },
        { type: 'PodScheduled', status: traits.hasNoPlace === true ? 'False' : 'True' },
      ],
      ...(traits.startedAt !== undefined && { containerStatuses: [running(traits.startedAt, traits.restarts ?? 0)] }),
      ...(lastWords !== undefined && { containerStatuses: [crashed(lastWords, traits)] }),
    },
  }
  return stored(pod, NAMESPACE) as unknown as KeptPod
}

const daemon = { name: 'slurmctld', image: 'slurmctld:1', imageID: '' }

function running(startedAt: string, restartCount: number) {
  return { ...daemon, ready: true, restartCount, state: { running: { startedAt } } }
}

function crashed(message: string, { endedAt = EARLIER, repeated = false }: PodTraits) {
  const lastState = { terminated: { exitCode: 1, message, finishedAt: endedAt } }
  const state = repeated ? { waiting: { reason: 'CrashLoopBackOff' } } : {}
  return { ...daemon, ready: false, restartCount: 3, lastState, state }
}

/** The StatefulSet of `prod`, whose newest template is the revision `new`. */
export function aStatefulSet(status: object = {}, replicas = 1): Kept<StatefulSet> {
  const statefulSet = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'prod-controller' },
    spec: {
      replicas,
      serviceName: 'prod-controller-internal',
      selector: { matchLabels: { 'app.kubernetes.io/name': 'slurmctld', 'app.kubernetes.io/instance': 'prod' } },
      template: { spec: { initContainers: [{ name: 'repair-state' }], containers: [] } },
    },
    status: {
      observedGeneration: 1,
      updateRevision: 'new',
      replicas,
      readyReplicas: replicas,
      updatedReplicas: replicas,
      ...status,
    },
  }
  return stored(statefulSet, NAMESPACE) as unknown as Kept<StatefulSet>
}
