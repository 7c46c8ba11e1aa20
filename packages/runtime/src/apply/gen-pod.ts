/** Test data of this room: pod templates that an API server accepts, with every odd way to say nothing in them. */
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '@slurm-operator/kube'

export type Shape = Record<string, fc.Arbitrary<JsonValue>>

/** Any of the keys may be missing, except those that must be there. */
export function map(shape: Shape, required: Shape = {}): fc.Arbitrary<JsonObject> {
  return fc.record({ ...shape, ...required }, { requiredKeys: Object.keys(required) })
}

/** A list of maps that differ in these keys. */
export function keyed(keys: Shape, shape: Shape, most = 3): fc.Arbitrary<JsonObject[]> {
  const selector = (item: JsonObject) => JSON.stringify(Object.keys(keys).map((key) => item[key]))
  return fc.uniqueArray(map(shape, keys), { maxLength: most, selector })
}

/** One of the values. */
export const one = <const T extends readonly JsonValue[]>(...values: T): fc.Arbitrary<T[number]> =>
  fc.constantFrom(...values)

const texts = (most = 3) => fc.array(one('x', 'y', '', '$(A)', 'ä <&>'), { maxLength: most })
const name = one('a', 'b', 'c', 'd')

/** Labels; values may be empty. */
export const anyLabels: fc.Arbitrary<JsonObject> = fc.dictionary(
  one('k1', 'k2', 'example.com/k3'),
  one('x', '', 'y-1'),
  { maxKeys: 3 },
)

const fieldRef = map({ apiVersion: one('v1') }, { fieldPath: one('metadata.name', 'metadata.uid') })
const resourceFieldRef = fc.oneof(
  map({ divisor: one('0', '1', '1000m') }, { resource: one('limits.cpu'), containerName: one('a') }),
  map({ divisor: one('0', '1', '1Mi', '1024Ki') }, { resource: one('requests.memory') }),
)
const keySelector = map({ optional: fc.boolean() }, { name, key: name })
const anyEnv = keyed({ name: one('A', 'B', 'C', 'D') }, {}, 4).chain((list) =>
  fc.tuple(...list.map((item) => anyVariable.map((content) => ({ ...item, ...content })))),
)
const anyVariable: fc.Arbitrary<JsonObject> = fc.oneof(
  map({ value: one('', '1', '2') }),
  map({}, { valueFrom: map({}, { fieldRef }) }),
  map({}, { valueFrom: map({}, { resourceFieldRef }) }),
  map({}, { valueFrom: map({}, { secretKeyRef: keySelector }) }),
  map({}, { valueFrom: map({}, { configMapKeyRef: keySelector }) }),
)
const resources = map({
  requests: map({ cpu: one('0.5', '500m', '5e-1', '1000m', '0'), memory: one('1024Mi', '1Gi', '1073741824', '1e9') }),
  limits: map({ cpu: one('2', '2000m', '2.0'), memory: one('4Gi', '4096Mi'), 'example.com/gpu': one('1', '2') }),
  claims: fc.constant([]),
})
const handler = fc.oneof(
  map({}, { exec: map({}, { command: texts().map((list) => ['c', ...list]) }) }),
  map(
    {},
    {
      httpGet: map(
        {
          path: one('', '/x'),
          scheme: one('HTTP', 'HTTPS'),
          httpHeaders: fc.array(map({}, { name: one('X-A', 'X-B'), value: one('', '1') }), { maxLength: 2 }),
        },
        { port: one(80, 'http') },
      ),
    },
  ),
  map({}, { tcpSocket: map({ host: one('', 'h') }, { port: one(80, 'http') }) }),
)
const probe = fc
  .tuple(handler, map({ initialDelaySeconds: one(0, 1), periodSeconds: one(0, 10, 7), failureThreshold: one(1, 3) }))
  .map(([what, when]) => ({ ...what, ...when }))
const securityContext = map({
  privileged: fc.boolean(),
  runAsUser: one(0, 1),
  runAsNonRoot: one(false),
  readOnlyRootFilesystem: fc.boolean(),
  capabilities: map({ add: fc.array(one('SYS_ADMIN', 'NET_ADMIN'), { maxLength: 2 }), drop: fc.constant([]) }),
  seccompProfile: map({}, { type: one('RuntimeDefault', 'Unconfined') }),
  seLinuxOptions: map({ level: one('', 's0') }),
})

const container: Shape = {
  command: texts(),
  args: texts(),
  workingDir: one('', '/'),
  env: anyEnv,
  envFrom: fc.array(map({ prefix: one('', 'P_') }, { configMapRef: map({ optional: fc.boolean() }, { name }) }), {
    maxLength: 2,
  }),
  ports: keyed({ containerPort: one(80, 81, 82), protocol: one('TCP', 'UDP') }, { name: fc.constant('') }).map(
    (ports) => ports.map((port, index) => ({ ...port, name: `p${index}` })),
  ),
  resources,
  livenessProbe: probe,
  readinessProbe: probe,
  securityContext,
  lifecycle: map({ preStop: handler }),
  stdin: fc.boolean(),
  tty: one(false),
  imagePullPolicy: one('Always', 'IfNotPresent'),
  terminationMessagePolicy: one('File', 'FallbackToLogsOnError'),
}

const items = fc.array(map({ mode: one(0, 0o400) }, { key: name, path: one('p/q', 'r') }), { maxLength: 2 })
const downwardItems = fc.array(map({ mode: one(0, 0o644) }, { path: one('x', 'y'), fieldRef }), { maxLength: 1 })
const source: fc.Arbitrary<JsonObject> = fc.oneof(
  map({}, { secret: map({ items, optional: fc.boolean() }, { name }) }),
  map({}, { configMap: map({ items, optional: fc.boolean() }, { name }) }),
  map({}, { downwardAPI: map({ items: downwardItems }) }),
  map(
    {},
    { serviceAccountToken: map({ audience: one('', 'a'), expirationSeconds: one(600, 3600) }, { path: one('t') }) },
  ),
)
const volumeSource: fc.Arbitrary<JsonObject> = fc.oneof(
  map({}, { emptyDir: map({ medium: one('', 'Memory'), sizeLimit: one('1024Mi', '1Gi', '1.5Gi') }) }),
  map({}, { configMap: map({ items, optional: fc.boolean(), defaultMode: one(0, 0o644) }, { name }) }),
  map({}, { secret: map({ items, optional: fc.boolean() }, { secretName: name }) }),
  map({}, { hostPath: map({ type: one('', 'Directory') }, { path: one('/x') }) }),
  map({}, { downwardAPI: map({ items: downwardItems, defaultMode: one(0o400) }) }),
  map(
    {},
    {
      projected: map(
        { defaultMode: one(0o444) },
        { sources: fc.array(source, { minLength: 1, maxLength: 3 }).map(withOwnPaths) },
      ),
    },
  ),
)

/** Two sources of one volume must not write the same file. */
function withOwnPaths(sources: readonly JsonObject[]): JsonObject[] {
  return sources.map(
    (whole, index) => JSON.parse(JSON.stringify(whole).replaceAll('"path":"', `"path":"${index}`)) as JsonObject,
  )
}

const terms = fc.array(
  map(
    {},
    {
      matchExpressions: fc.array(
        map({ values: fc.constant(['v', 'w']) }, { key: name, operator: one('In', 'NotIn') }).map((term) => ({
          ...term,
          values: ['v', 'w'],
        })),
        { minLength: 1, maxLength: 2 },
      ),
    },
  ),
  { minLength: 1, maxLength: 2 },
)
const labelSelector = map({ matchLabels: anyLabels, matchExpressions: fc.constant([]) })
const affinityTerm = map(
  { labelSelector, namespaces: fc.array(name, { maxLength: 1 }) },
  { topologyKey: one('zone', 'host') },
)
const affinity = map({
  nodeAffinity: map({ requiredDuringSchedulingIgnoredDuringExecution: map({}, { nodeSelectorTerms: terms }) }),
  podAntiAffinity: map({
    preferredDuringSchedulingIgnoredDuringExecution: fc.array(
      map({}, { weight: one(1, 2), podAffinityTerm: affinityTerm }),
      { maxLength: 2 },
    ),
  }),
})

const podSpec: Shape = {
  restartPolicy: one('Always'),
  terminationGracePeriodSeconds: one(0, 30, 31),
  dnsPolicy: one('ClusterFirst', 'Default'),
  nodeSelector: anyLabels,
  serviceAccountName: one('', 'robot'),
  automountServiceAccountToken: fc.boolean(),
  hostPID: one(false),
  hostIPC: one(false),
  shareProcessNamespace: fc.boolean(),
  hostname: one('', 'h'),
  setHostnameAsFQDN: fc.boolean(),
  priorityClassName: one('', 'high'),
  enableServiceLinks: fc.boolean(),
  imagePullSecrets: keyed({ name }, {}, 2),
  hostAliases: keyed({ ip: one('10.0.0.1', '10.0.0.2') }, { hostnames: fc.array(one('x', 'y'), { maxLength: 2 }) }),
  tolerations: fc.array(
    fc.oneof(
      map({ tolerationSeconds: one(0, 5) }, { key: name, operator: one('Exists'), effect: one('NoExecute') }),
      map({ operator: one('Equal'), effect: one('', 'NoSchedule') }, { key: name, value: one('', 'v') }),
    ),
    { maxLength: 3 },
  ),
  affinity,
  topologySpreadConstraints: keyed(
    { topologyKey: one('zone', 'host'), whenUnsatisfiable: one('DoNotSchedule', 'ScheduleAnyway') },
    { labelSelector, matchLabelKeys: fc.constant([]) },
  ).map((list) => list.map((constraint) => ({ ...constraint, maxSkew: 1 }))),
  securityContext: map({
    runAsUser: one(0, 1),
    fsGroup: one(0, 1),
    supplementalGroups: fc.array(one(0, 1), { maxLength: 2 }),
    sysctls: fc.constant([]),
    fsGroupChangePolicy: one('Always'),
  }),
  dnsConfig: map({
    nameservers: fc.array(one('10.0.0.1'), { maxLength: 1 }),
    searches: fc.array(one('a.b'), { maxLength: 1 }),
    options: fc.array(map({ value: one('', '1') }, { name: one('ndots') }), { maxLength: 1 }),
  }),
  readinessGates: fc.constant([]),
  overhead: map({ cpu: one('0.1', '100m') }),
}

/** A template; the label `app` is always there, for the selector. */
export const anyTemplate: fc.Arbitrary<JsonObject> = fc
  .record({
    labels: anyLabels,
    annotations: anyLabels,
    spec: map(podSpec),
    containers: keyed({ name }, container).filter(({ length }) => length > 0),
    initContainers: keyed({ name: one('i', 'j') }, container, 2),
    volumes: keyed({ name: one('v', 'w', 'x') }, {}).chain((list) =>
      fc.tuple(...list.map((item) => volumeSource.map((content) => ({ ...item, ...content })))),
    ),
    mounts: keyed({ mountPath: one('/m', '/n&o') }, { readOnly: fc.boolean(), subPath: one('', 's') }),
  })
  .map(({ labels, annotations, spec, containers, initContainers, volumes, mounts }) => ({
    metadata: { labels: { ...labels, app: 'x' }, annotations },
    spec: {
      ...spec,
      volumes,
      initContainers: complete(initContainers, volumes, mounts),
      containers: complete(containers, volumes, mounts),
    },
  }))

/** Mounts need volumes, and fields that refer to a container need its limits. */
function complete(
  containers: readonly JsonObject[],
  volumes: readonly JsonObject[],
  mounts: readonly JsonObject[],
): JsonObject[] {
  const [volume] = volumes
  return containers.map((container) => ({
    image: 'i',
    ...container,
    ...(container['name'] === 'i' || container['name'] === 'j'
      ? { livenessProbe: undefined, readinessProbe: undefined, lifecycle: undefined }
      : {}),
    ...(volume !== undefined && { volumeMounts: mounts.map((mount) => ({ ...mount, name: volume['name'] })) }),
  }))
}
