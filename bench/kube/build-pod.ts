/**
 * Pods as a cluster with worker pods has them: two containers, probes, mounts, tolerations, a full status.
 * Everything depends on the number of the pod alone, so every run measures the same objects.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import type { Container, Pod, PodCondition, PodSpec, PodStatus } from '@slurm-operator/kube'
import { MARK, ROUND } from './marks.ts'

/** Pods are spread: one namespace with 10,000 of them is outside of what Kubernetes is tested with. */
export const NAMESPACES = 10

const START = '2026-01-01T00:00:00Z'

/** Where the pod of this number lives. */
export function podKey(number: number) {
  return { namespace: namespaceOf(number), name: `worker-${String(number).padStart(5, '0')}` }
}

/** The namespace of the pod of this number. */
export const namespaceOf = (number: number): string => `bench-${number % NAMESPACES}`

/** The pod of this number, as its creator sends it. */
export function buildPod(number: number): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...podKey(number),
      labels: labelsOf(number),
      annotations: {
        'bench.example/deadline': START,
        'bench.example/description': `worker ${number}, partitions all, gpu and long; features none`,
      },
      ownerReferences: [ownerOf(number)],
    },
    spec: buildSpec(number),
  }
}

/** What a kubelet has reported once the pod runs. */
export function buildStatus(number: number): PodStatus {
  const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
  return {
    phase: 'Running',
    qosClass: 'Burstable',
    startTime: START,
    hostIP: '192.0.2.10',
    podIP: address,
    podIPs: [{ ip: address }],
    conditions: buildConditions('idle, waiting for jobs of round 0'),
    containerStatuses: ['worker', 'logs'].map((name) => ({
      name,
      ready: true,
      started: true,
      restartCount: 0,
      image: imageOf(name),
      imageID: `${imageOf(name)}@sha256:${digest(name)}`,
      containerID: `containerd://${digest(`${name} ${number}`)}`,
      state: { running: { startedAt: START } },
    })),
  }
}

/** The conditions of a pod that runs; the message is what changes. */
export function buildConditions(message: string): PodCondition[] {
  const types = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled']
  const usual = types.map((type) => ({ type, status: 'True', lastTransitionTime: START }) as const)
  return [...usual, { type: 'bench.example/Idle', status: 'True', lastTransitionTime: START, reason: 'Seen', message }]
}

function labelsOf(number: number): Record<string, string> {
  return {
    'app.kubernetes.io/name': 'worker',
    'app.kubernetes.io/instance': `set-${number % 50}`,
    'bench.example/revision': 'set-5d9f7c6b8',
    'bench.example/index': String(number),
    [ROUND]: '0',
    [MARK]: 'none',
  }
}

function ownerOf(number: number) {
  const set = number % 50
  return {
    apiVersion: 'bench.example/v1',
    kind: 'WorkerSet',
    name: `set-${set}`,
    uid: `00000000-0000-4000-8000-${String(set).padStart(12, '0')}`,
    controller: true,
    blockOwnerDeletion: true,
  }
}

function buildSpec(number: number): PodSpec {
  const { name } = podKey(number)
  return {
    nodeName: `node-${number % 500}`,
    hostname: name,
    subdomain: 'workers',
    terminationGracePeriodSeconds: 60,
    securityContext: { fsGroup: 401 },
    containers: [buildWorker(name), buildLogs()],
    volumes: buildVolumes(),
    tolerations: [{ key: 'bench.example/worker', operator: 'Exists' }],
  }
}

function buildWorker(name: string): Container {
  const variables = ['CLUSTER', 'FEATURES', 'LOG_LEVEL']
  return {
    name: 'worker',
    image: imageOf('worker'),
    args: ['-Z', '--conf', 'Features=all Weight=10', '--conf-server', 'controller.bench:6817'],
    env: [
      ...variables.map((variable) => ({ name: `WORKER_${variable}`, value: `value of ${variable.toLowerCase()}` })),
      { name: 'POD_NAME', value: name },
      { name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
    ],
    ports: [{ name: 'worker', containerPort: 6818, protocol: 'TCP' }],
    resources: { limits: { cpu: '4', memory: '16Gi' }, requests: { cpu: '1', memory: '4Gi' } },
    securityContext: { capabilities: { add: ['BPF', 'NET_ADMIN', 'SYS_ADMIN', 'SYS_NICE'] } },
    readinessProbe: { exec: { command: ['/bin/check-worker', '--quick'] }, periodSeconds: 5 },
    volumeMounts: ['config', 'keys', 'log', 'spool'].map((volume) => ({
      name: volume,
      mountPath: `/var/worker/${volume}`,
      readOnly: volume === 'keys',
    })),
  }
}

function buildLogs(): Container {
  return {
    name: 'logs',
    image: imageOf('logs'),
    command: ['sh', '-c', 'tail -F /var/worker/log/worker.log'],
    volumeMounts: [{ name: 'log', mountPath: '/var/worker/log' }],
  }
}

function buildVolumes() {
  return [
    { name: 'config', configMap: { name: 'worker-config', defaultMode: 420 } },
    { name: 'keys', projected: { defaultMode: 256, sources: [{ secret: { name: 'worker-keys' } }] } },
    ...['log', 'spool'].map((name) => ({ name, emptyDir: { sizeLimit: '1Gi' } })),
  ]
}

// Real ones: now and then one has so many digits in a row that it looks like a number.
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const imageOf = (name: string): string => `images.example/bench/${name}:25.11-ubuntu24.04`
