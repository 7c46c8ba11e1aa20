/**
 * Pods, containers, Services and claims as people write them, well and badly.
 *
 * @module
 */
import type { FreeFormType } from '@slurm-operator/api'
import type { JsonValue } from '@slurm-operator/kube'

/** Values of one field: those that work, those that Kubernetes ignores or refuses, those of a wrong type. */
interface FreeFormValues {
  readonly sound: readonly JsonValue[]
  readonly odd: readonly JsonValue[]
  readonly wrong: readonly JsonValue[]
}

const claim = {
  metadata: { name: 'scratch' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
}

/** See the module. */
export const freeFormValues: Readonly<Record<FreeFormType, FreeFormValues>> = {
  PodSpec: {
    sound: [
      {},
      { nodeSelector: { disk: 'ssd' }, tolerations: [{ key: 'gpu', operator: 'Exists' }] },
      {
        priorityClassName: 'system-node-critical',
        terminationGracePeriodSeconds: 0,
        automountServiceAccountToken: true,
      },
      { volumes: [{ name: 'more', emptyDir: {} }], containers: [{ name: 'side', image: 'x:1' }] },
      { securityContext: { runAsNonRoot: false }, hostAliases: [{ ip: '10.0.0.1', hostnames: ['a'] }] },
      { initContainers: [{ name: 'first', image: 'x:1' }], hostNetwork: false, enableServiceLinks: false },
    ],
    odd: [
      { imagePullPolcy: 'Always' },
      { restartPolicy: 'Sometimes' },
      { containers: [{ name: 'Not A Name', image: 'x:1' }] },
      {
        volumes: [
          { name: 'twice', emptyDir: {} },
          { name: 'twice', emptyDir: {} },
        ],
      },
      { priorityClassName: 'nobody' },
    ],
    wrong: [5, ['a'], { terminationGracePeriodSeconds: 'soon' }, { containers: {} }, { nodeSelector: { disk: 5 } }],
  },
  Container: {
    sound: [
      { image: 'registry.example.com/other:2' },
      {
        image: 'x:1',
        args: ['-v'],
        env: [{ name: 'A', value: '1' }],
        resources: { limits: { cpu: '1500m', memory: '1Gi' } },
      },
      { image: 'x:1', livenessProbe: { periodSeconds: 30 }, securityContext: { privileged: false } },
      { image: 'x:1', imagePullPolicy: 'Always', command: ['sh'], workingDir: '/tmp' },
    ],
    odd: [
      { image: 'x:1', imagePullPolcy: 'Always' },
      { image: 'x:1', imagePullPolicy: 'Perhaps' },
      { image: 'x:1', volumeMounts: [{ name: 'nobody', mountPath: '/x' }] },
      { image: 'x:1', ports: [{ name: 'far', containerPort: 70_000 }] },
    ],
    wrong: [
      5,
      { image: 5 },
      { image: 'x:1', env: { A: '1' } },
      { image: 'x:1', resources: { limits: { cpu: 'much' } } },
    ],
  },
  ServiceSpec: {
    sound: [
      {},
      { type: 'NodePort' },
      { ports: [{ name: 'more', port: 9 }], externalIPs: ['1.2.3.4'] },
      { sessionAffinity: 'ClientIP', internalTrafficPolicy: 'Local' },
    ],
    odd: [{ type: 'Sometimes' }, { prots: [] }, { ports: [{ name: 'bad', port: 70_000 }] }, { clusterIP: 'not-an-ip' }],
    wrong: [5, { ports: 'all' }, { ports: [{ port: 'x' }] }, { type: 5 }],
  },
  PersistentVolumeClaims: {
    sound: [null, [claim]],
    odd: [[{ spec: {} }], [{ metadata: { name: 'Not A Name' }, spec: {} }], [{ ...claim, sepc: {} }]],
    wrong: [5, {}, ['a'], [{ metadata: { name: 5 } }], [{ ...claim, spec: { accessModes: 'all' } }]],
  },
}
