/**
 * Test data of this folder: a container and a pod as a builder makes them, and anything a user may write.
 *
 * @module
 */
import type { Container, JsonObject, JsonValue, PodSpec } from '@slurm-operator/kube'
import fc from 'fast-check'

/** A container with one of everything that merging treats in a special way. */
export const baseContainer: Container = {
  name: 'slurmd',
  image: 'ours',
  args: ['-Z'],
  env: [
    { name: 'SLINKY_TOPOLOGY', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'SACKD_OPTIONS', value: '--conf-server slurm:6817' },
    { name: 'PLAIN', value: 'ours' },
  ],
  ports: [{ name: 'slurmd', containerPort: 6818, protocol: 'TCP' }],
  livenessProbe: { httpGet: { path: '/livez', port: 'slurmd' }, periodSeconds: 10, failureThreshold: 6 },
  lifecycle: { preStop: { exec: { command: ['true'] } } },
  securityContext: { privileged: true, runAsNonRoot: true, runAsUser: 401, capabilities: { add: ['SYS_ADMIN'] } },
  volumeMounts: [
    { name: 'slurm-etc', mountPath: '/etc/slurm', readOnly: true },
    { name: 'slurm-logfile', mountPath: '/var/log/slurm' },
  ],
}

/** The toleration that every worker has. */
export const baseToleration = {
  key: 'nodeset.slinky.slurm.net/worker',
  operator: 'Equal',
  effect: 'NoExecute',
} as const

/** A pod around that container. */
export const basePod: PodSpec = {
  automountServiceAccountToken: false,
  securityContext: { runAsNonRoot: true, fsGroup: 401 },
  tolerations: [baseToleration],
  initContainers: [{ name: 'logfile', command: ['sh'] }],
  containers: [baseContainer],
  volumes: [
    { name: 'slurm-etc', projected: { defaultMode: 384, sources: [{ configMap: { name: 'config' } }] } },
    { name: 'statesave', emptyDir: {} },
  ],
}

/** Maps as users write them in a free-form field, with the keys of containers more often than others. */
export const anyUserPart: fc.Arbitrary<JsonObject> = fc.letrec<{ map: JsonObject; value: JsonValue }>((tie) => ({
  map: fc.dictionary(anyKey(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, false, 0, '', [], {}),
    fc.boolean(),
    fc.integer(),
    fc.string(),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('map'),
  ),
})).map

function anyKey(): fc.Arbitrary<string> {
  const known = [...Object.keys(baseContainer), ...Object.keys(basePod), 'value', 'valueFrom', 'exec', 'httpGet']
  return fc.oneof(fc.constantFrom(...known, '__proto__', 'constructor', '$patch', '$setElementOrder/env'), fc.string())
}
