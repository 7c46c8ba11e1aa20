import type { Deployment } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import type { Kept, KeptPod } from '../world/trim.ts'
import { judgeByWorkload, judgeWorkload, LOOK_AT_PODS_SECONDS, type WorkloadFacts } from './judge-workload.ts'

const meta = (name: string) => ({
  name,
  namespace: 'n',
  uid: name,
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
})
const workload = (status: Deployment['status'], replicas = 2): Kept<Deployment> =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...meta('web'), generation: 3 },
    spec: { replicas },
    status,
  }) as Kept<Deployment>
const ready = { observedGeneration: 3, replicas: 2, readyReplicas: 2, updatedReplicas: 2 }
const pod = (status: KeptPod['status'], spec: KeptPod['spec'] = {}): KeptPod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: meta('web-x'),
  spec,
  status,
})
const container = (more: object) => ({
  name: 'slurmctld',
  image: 'img',
  imageID: '',
  ready: false,
  restartCount: 0,
  ...more,
})
const facts = (more: Partial<WorkloadFacts>): WorkloadFacts => ({
  workload: workload({ ...ready, readyReplicas: 1 }),
  pods: [],
  claims: [],
  ...more,
})

/** A daemon that ended with these words, for the fourth time. */
const crashing = (message: string): WorkloadFacts => {
  const lastState = { terminated: { exitCode: 1, message } }
  const status = container({ restartCount: 4, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState })
  return facts({ pods: [pod({ containerStatuses: [status] })] })
}

const accidents: readonly {
  readonly name: string
  readonly facts: WorkloadFacts
  readonly reason: string
  readonly because?: RegExp
}[] = [
  {
    name: 'ready is said before the workload has seen its new spec',
    facts: facts({ workload: workload({ ...ready, observedGeneration: 2 }) }),
    reason: 'RollingOut',
  },
  {
    name: 'ready is said while old pods are still there',
    facts: facts({ workload: workload({ ...ready, replicas: 3 }) }),
    reason: 'Starting',
  },
  {
    name: 'ready is said while pods are outdated',
    facts: facts({ workload: workload({ ...ready, updatedReplicas: 1 }) }),
    reason: 'RollingOut',
  },
  { name: 'ready is never said', facts: facts({ workload: workload(ready) }), reason: 'Ready' },
  {
    name: 'ready is never said for no replicas',
    facts: facts({ workload: workload({ observedGeneration: 3 }, 0) }),
    reason: 'Ready',
  },
  {
    name: 'nobody learns that an image does not exist',
    facts: facts({
      pods: [
        pod({
          containerStatuses: [container({ state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } })],
        }),
      ],
    }),
    reason: 'ImageCannotBePulled',
    because: /img.*not found/,
  },
  {
    name: 'nobody learns what slurmctld said before it ended',
    facts: crashing('hello\nfatal: slurm.conf line 12: bad\n'),
    reason: 'ContainerCrashes',
    because: /slurmctld crashes \(exit code 1, 4 restarts\): fatal: slurm.conf line 12: bad$/,
  },
  {
    name: 'the last line alone says nothing, or its time makes every crash news',
    facts: crashing(
      '[2026-11-16T02:54:27.413] error: Bad value: X\n[2026-11-16T02:54:27.414] error: Bad value: X\n' +
        '[2026-11-16T02:54:27.415] fatal: Unable to process configuration file\n',
    ),
    reason: 'ContainerCrashes',
    because: /restarts\): error: Bad value: X; fatal: Unable to process configuration file$/,
  },
  {
    name: 'nobody learns that the Kube node is lost',
    facts: facts({
      pods: [
        {
          ...pod(
            { conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'DeletionByTaintManager' }] },
            { nodeName: 'n2' },
          ),
          metadata: { ...pod({}).metadata, deletionTimestamp: '2026-06-01T12:00:00Z' },
        },
      ],
    }),
    reason: 'KubeNodeLost',
    because: /Pod web-x: its Kube node n2 does not answer/,
  },
  {
    name: 'nobody learns that no node has room',
    facts: facts({
      pods: [
        pod({ conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' }] }),
      ],
    }),
    reason: 'Unschedulable',
    because: /0\/3 nodes/,
  },
  {
    name: 'nobody learns that a claim waits for a StorageClass',
    facts: facts({
      pods: [pod({}, { volumes: [{ name: 's', persistentVolumeClaim: { claimName: 'c' } }] })],
      claims: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: meta('c'),
          spec: {},
          status: { phase: 'Pending' },
        } as never,
      ],
    }),
    reason: 'ClaimPending',
    because: /claim c: it has no StorageClass/,
  },
]

describe('the state of a workload prevents that', () => {
  for (const { name, facts: given, reason, because } of accidents) {
    test(name, () => {
      const state = judgeWorkload('slurmctld', given, Number.POSITIVE_INFINITY)
      expect(state.reason).toBe(reason)
      expect(state.because).toMatch(because ?? /./)
    })
  }
})

test('a volume that is made right now is an alarm', () => {
  const waiting = accidents.filter(({ reason }) => reason === 'ClaimPending' || reason === 'Unschedulable')
  const createdMs = Date.parse(meta('web-x').creationTimestamp)
  const reasons = (nowMs: number) => waiting.map((each) => judgeWorkload('slurmctld', each.facts, nowMs).reason)
  expect(reasons(createdMs + 59_000)).toEqual(waiting.map(() => 'Starting'))
  expect(reasons(createdMs + 60_000)).toEqual(waiting.map(({ reason }) => reason))
})

test('nobody looks again, and a pod that will never start is starting for ever', () => {
  const waiting = accidents.filter(({ reason }) => reason === 'Unschedulable')
  const createdMs = Date.parse(meta('web-x').creationTimestamp)
  const looks = (nowMs: number) => waiting.map(({ facts }) => judgeByWorkload('login', facts, nowMs).lookAgainInSeconds)
  expect(looks(createdMs)).toEqual(waiting.map(() => LOOK_AT_PODS_SECONDS))
  expect(looks(createdMs + 60_000)).toEqual(waiting.map(() => undefined))
})
