import type { ConfigMap, Service, StatefulSet } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { aController, anObject, aSecret, child, keys, pass } from './gen.ts'

const slurmConf = (children: Parameters<typeof child>[0]) =>
  child<ConfigMap>(children, 'ConfigMap', 'prod-config').data?.['slurm.conf'] ?? ''
const pods = (children: Parameters<typeof child>[0]) => child<StatefulSet>(children, 'StatefulSet', 'prod-controller')

const aNodeSet = (name: string, spec: object = {}, metadata: object = {}) =>
  anObject('NodeSet', name, {
    metadata: { name, ...metadata },
    spec: { controllerRef: { name: 'prod' }, partition: { enabled: true, config: 'State=UP' }, ...spec },
  })
const anAccounting = (spec: object = {}) => anObject('Accounting', 'books', { spec: { external: false, ...spec } })

describe('what would be lost while the operator is away', () => {
  test('the Service in front has no endpoint, because only the operator marks the pod in charge', async () => {
    const { wish } = await pass(aController())
    const front = child<Service>(wish.children, 'Service', 'prod-controller')
    expect(front.spec?.selector).toEqual({
      'app.kubernetes.io/name': 'slurmctld',
      'app.kubernetes.io/instance': 'prod',
    })
    expect(front.spec?.selector).toEqual(pods(wish.children).spec?.selector.matchLabels)
  })

  test('a backup that takes over cannot be reached, as its pod has lost the mark with its restart', async () => {
    const { wish } = await pass(
      aController({ ha: { enabled: true }, persistence: { enabled: true, existingClaim: 'state' } }),
    )
    const front = child<Service>(wish.children, 'Service', 'prod-controller')
    expect(pods(wish.children).spec?.template.metadata?.labels).toMatchObject(front.spec?.selector ?? {})
    expect(front.spec?.selector).toHaveProperty(['controller.slinky.slurm.net/active'], 'true')
  })
})

describe('several slurmctld', () => {
  const ha = aController({ ha: { enabled: true, backups: 2 }, persistence: { enabled: true, existingClaim: 'state' } })

  test('share a Kube node and end together, because the user has terms of his own', async () => {
    const term = { labelSelector: { matchLabels: { app: 'noisy' } }, topologyKey: 'zone' }
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
    const { wish } = await pass({ ...ha, spec: { ...ha.spec, template: { spec: { affinity } } } })
    const terms = pods(wish.children).spec?.template.spec?.affinity?.podAntiAffinity
    expect(terms?.requiredDuringSchedulingIgnoredDuringExecution).toEqual([
      term,
      expect.objectContaining({ topologyKey: 'kubernetes.io/hostname' }),
    ])
  })

  test('are not all in slurm.conf, or a backup is never ready', async () => {
    const { wish } = await pass(ha)
    expect(slurmConf(wish.children).match(/^SlurmctldHost=.*$/gm)).toEqual(
      [0, 1, 2].map((n) => `SlurmctldHost=prod-controller-${n}(prod-controller-${n}.hpc)`),
    )
    const { spec } = pods(wish.children)
    expect(spec?.replicas).toBe(3)
    expect(spec?.template.spec?.containers[0]?.readinessProbe?.httpGet?.path).toBe('/livez')
  })

  test('every command takes ten seconds longer while one of them has no pod, and so no address', async () => {
    const { wish } = await pass(ha)
    const { spec } = child<Service>(wish.children, 'Service', 'prod-controller-1')
    expect(spec).toMatchObject({
      publishNotReadyAddresses: true,
      selector: { 'statefulset.kubernetes.io/pod-name': 'prod-controller-1' },
      ports: [{ port: 6817 }],
    })
    expect(spec?.clusterIP).toBeUndefined()
    const alone = await pass(aController())
    const services = alone.wish.children.filter(({ kind }) => kind === 'Service')
    expect(services.map(({ metadata }) => metadata.name)).toEqual(['prod-controller-internal', 'prod-controller'])
    expect(slurmConf(alone.wish.children)).toContain('(prod-controller-0.prod-controller-internal.hpc)')
  })

  test('write to a claim that only one of them can mount', async () => {
    const claim = anObject('PersistentVolumeClaim', 'state', { spec: { accessModes: ['ReadWriteOnce'] } })
    const { wish } = await pass(ha, [...keys, claim])
    expect(wish.obstacles).toMatchObject([{ reason: 'InvalidSpec', because: expect.stringContaining('ReadWriteMany') }])
    expect(wish.children.map(({ kind }) => kind)).not.toContain('StatefulSet')
  })

  test('a single one is kept off its own Kube node while it is replaced', async () => {
    const { wish } = await pass(aController())
    expect(pods(wish.children).spec?.template.spec?.affinity).toBeUndefined()
  })
})

describe('a reference that leads nowhere', () => {
  const missing = [
    {
      name: 'a typo turns accounting off',
      spec: { accountingRef: { name: 'boooks' } },
      says: 'Accounting boooks',
      builds: [],
    },
    {
      name: 'a lost script freezes everything, and nobody says which',
      spec: { prologScriptRefs: [{ name: 'scripts' }] },
      says: 'ConfigMap scripts',
      builds: [],
    },
    {
      name: 'the keys of others are not there',
      spec: { jwksKeyRef: { name: 'jwks', key: 'a' } },
      says: 'ConfigMap jwks',
      builds: [],
    },
    {
      name: 'a key Secret is not there',
      spec: { slurmKeyRef: { name: 'lost', key: 'slurm.key' } },
      says: 'Secret lost',
      builds: ['ConfigMap'],
    },
    {
      name: 'a key Secret has another entry',
      spec: { jwtKeyRef: { name: 'jwt-key', key: 'other' } },
      says: 'Entry other of Secret jwt-key',
      builds: ['ConfigMap'],
    },
  ] as const
  test.each(missing)('$name', async ({ spec, says, builds }) => {
    const { wish } = await pass(aController(spec))
    expect(wish.obstacles.map(({ because }) => because)).toEqual([
      `${says} does not exist, but Controller prod needs it.`,
    ])
    expect(wish.children.map(({ kind }) => kind)).toEqual(['Service', 'Service', ...builds])
  })

  test('optional keys stop the pods all the same', async () => {
    const { wish } = await pass(aController({ slurmKeyRef: { name: 'lost', key: 'slurm.key', optional: true } }))
    expect(wish.obstacles).toEqual([])
    const [etc] = pods(wish.children).spec?.template.spec?.volumes ?? []
    expect(etc?.projected?.sources?.[1]?.secret?.optional).toBe(true)
  })
})

describe('slurm.conf', () => {
  test('lacks NodeSets, or those that are being deleted while jobs still name their partitions', async () => {
    const leaving = aNodeSet('b-leaving', {}, { deletionTimestamp: '2026-01-01T00:00:00Z' })
    const stranger = aNodeSet('stranger', { controllerRef: { name: 'other' } })
    const { wish } = await pass(aController(), [...keys, aNodeSet('c'), leaving, aNodeSet('a'), stranger])
    expect(slurmConf(wish.children).match(/^PartitionName=.*$/gm)).toEqual([
      'PartitionName=a Nodes=a State=UP',
      'PartitionName=b-leaving Nodes=b-leaving State=UP',
      'PartitionName=c Nodes=c State=UP',
    ])
  })

  test('one bad partition of one team stops the cluster of all', async () => {
    const bad = aNodeSet('bad', { partition: { enabled: true, config: 'State' } })
    const { wish, facts, at } = await pass(aController(), [...keys, aNodeSet('good'), bad])
    expect(wish.obstacles).toEqual([])
    expect(slurmConf(wish.children)).toContain('PartitionName=good')
    expect(slurmConf(wish.children)).not.toContain('PartitionName=bad')
    expect(facts.nodeSets).toHaveLength(2)
    expect(at.object.metadata.name).toBe('prod')
  })

  test('more workers than the constant of the reference are refused by slurmctld', async () => {
    const { wish } = await pass(aController(), [...keys, aNodeSet('many', { replicas: 3000 })])
    expect(slurmConf(wish.children)).toContain('MaxNodeCount=4096\n')
  })

  test('an accounting outside of Kubernetes is looked for inside', async () => {
    const outside = anAccounting({ external: true, externalConfig: { host: 'dbd.example.com', port: 7819 } })
    const { wish } = await pass(aController({ accountingRef: { name: 'books' } }), [...keys, outside])
    expect(slurmConf(wish.children)).toContain('AccountingStorageHost=dbd.example.com\nAccountingStoragePort=7819\n')
  })

  test('a changed port of the Service is where nobody listens', async () => {
    const { wish } = await pass(aController({ service: { port: 7000 }, accountingRef: { name: 'books' } }), [
      ...keys,
      anAccounting({ service: { port: 7001 } }),
    ])
    expect(slurmConf(wish.children)).toContain('SlurmctldPort=7000\n')
    expect(slurmConf(wish.children)).toContain('AccountingStoragePort=7001\n')
    expect(pods(wish.children).spec?.template.spec?.containers[0]?.ports?.[0]?.containerPort).toBe(7000)
  })

  test('slurmctld is asked to listen where only root may', async () => {
    const { wish } = await pass(aController({ service: { port: 443 } }))
    expect(wish.obstacles).toMatchObject([{ because: expect.stringContaining('spec.service.port is 443') }])
  })

  test('two files of one name, and only one of them is there', async () => {
    const maps = ['one', 'two'].map((name) => anObject('ConfigMap', name, { data: { 'gres.conf': name } }))
    const { wish } = await pass(aController({ configFileRefs: [{ name: 'one' }, { name: 'two' }] }), [...keys, ...maps])
    expect(wish.obstacles).toMatchObject([{ because: expect.stringContaining('gres.conf is in one and two') }])
  })
})

describe('a restart of slurmctld', () => {
  const templateOf = async (spec: object, objects: readonly object[] = []) =>
    JSON.stringify(pods((await pass(aController(spec), [...keys, ...objects])).wish.children).spec?.template)

  test('comes with every NodeSet that is added or changed', async () => {
    expect(await templateOf({}, [aNodeSet('gpu')])).toBe(await templateOf({}))
    expect(await templateOf({ extraConf: 'SchedulerParameters=defer' })).toBe(await templateOf({}))
  })

  test('comes with every edited script', async () => {
    const scripts = (text: string) => anObject('ConfigMap', 'scripts', { data: { 'a.sh': text } })
    const spec = { prologScriptRefs: [{ name: 'scripts' }] }
    expect(await templateOf(spec, [scripts('one')])).toBe(await templateOf(spec, [scripts('two')]))
  })

  test('does not come with a setting that needs one', async () => {
    expect(await templateOf({ extraConf: 'AuthInfo=ttl=99' })).not.toBe(await templateOf({}))
    expect(await templateOf({ service: { port: 7000 } })).not.toBe(await templateOf({}))
  })

  test('does not come with a new key, so that workers are locked out', async () => {
    const { wish } = await pass(aController(), [aSecret('slurm-key', 'slurm.key', 'new'), ...keys.slice(1)])
    expect(JSON.stringify(pods(wish.children).spec?.template)).not.toBe(await templateOf({}))
  })

  test('does not come when the keys of others change', async () => {
    const jwks = (text: string) => anObject('ConfigMap', 'jwks', { data: { a: text } })
    const spec = { jwksKeyRef: { name: 'jwks', key: 'a' } }
    expect(await templateOf(spec, [jwks('one')])).not.toBe(await templateOf(spec, [jwks('two')]))
  })

  test('comes with every kubectl apply and every chart upgrade', async () => {
    const volatile = {
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', 'argocd.argoproj.io/tracking-id': 'x' },
      labels: { 'helm.sh/chart': 'slurm-2', 'app.kubernetes.io/version': '2' },
    }
    const { wish } = await pass(aController({}, volatile))
    expect(JSON.stringify(pods(wish.children).spec?.template)).toBe(await templateOf({}))
  })
})

describe('where the state is kept', () => {
  test('a Controller without a word about it gets a claim that no server accepts', async () => {
    const { wish } = await pass(aController())
    expect(pods(wish.children).spec?.volumeClaimTemplates?.[0]?.spec).toMatchObject({
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '4Gi' } },
    })
  })

  test('a size alone loses the access mode, a class alone the size', async () => {
    const { wish } = await pass(aController({ persistence: { enabled: true, storageClassName: 'fast' } }))
    expect(pods(wish.children).spec?.volumeClaimTemplates?.[0]?.spec).toMatchObject({
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'fast',
      resources: { requests: { storage: '4Gi' } },
    })
  })

  test.each([
    {
      name: 'an existing claim is left aside',
      persistence: { enabled: true, existingClaim: 'mine' },
      volume: { persistentVolumeClaim: { claimName: 'mine' } },
    },
    { name: 'a claim is made although none is wanted', persistence: { enabled: false }, volume: { emptyDir: {} } },
  ])('$name', async ({ persistence, volume }) => {
    const { spec } = pods((await pass(aController({ persistence }))).wish.children)
    expect(spec?.volumeClaimTemplates).toBeUndefined()
    expect(spec?.template.spec?.volumes?.at(-1)).toEqual({ name: 'statesave', ...volume })
  })

  test('a slurmctld that was killed before its first save never starts again', async () => {
    const { wish } = await pass(aController({ accountingRef: { name: 'books' } }), [...keys, anAccounting()])
    const init = pods(wish.children).spec?.template.spec?.initContainers ?? []
    expect(init.map(({ name, image }) => [name, image])).toEqual([
      ['logfile', 'logfile:1'],
      ['repair-state', 'slurmctld:1'],
    ])
  })
})

describe('outside of Kubernetes', () => {
  test('Services and pods of former times stay when slurmctld has moved out', async () => {
    const outside = { external: true, externalConfig: { host: 'ctl.example.com', port: 6817 } }
    const { wish } = await pass(aController(outside), [])
    expect(wish).toMatchObject({ obstacles: [], children: [{ kind: 'ConfigMap' }] })
    expect(slurmConf(wish.children)).toContain('SlurmctldHost=ctl.example.com')
  })
})

describe('metrics', () => {
  const monitored = aController({ metrics: { enabled: true, serviceMonitor: { enabled: true, interval: '30s' } } })

  test('are read twice, since two Services lead to the same pods', async () => {
    const { wish } = await pass(monitored, keys, { hasServiceMonitors: true })
    const monitor = child(wish.children, 'ServiceMonitor', 'prod-controller') as unknown as {
      readonly spec: { readonly selector: { readonly matchLabels: Readonly<Record<string, string>> } }
    }
    const services = wish.children.filter(({ kind }) => kind === 'Service')
    const chosen = services.filter(({ metadata }) =>
      Object.entries(monitor.spec.selector.matchLabels).every(([key, value]) => metadata.labels?.[key] === value),
    )
    expect(chosen.map(({ metadata }) => metadata.name)).toEqual(['prod-controller'])
  })

  test('stop the Controller where nobody knows ServiceMonitors', async () => {
    const { wish } = await pass(monitored)
    expect(wish.obstacles).toEqual([])
    expect(wish.children.map(({ kind }) => kind)).not.toContain('ServiceMonitor')
  })
})

test('why a daemon ended stands in no status', async () => {
  const { wish } = await pass(aController({ inplaceReconfigure: true, reconfigure: { image: 'slurmctld:1' } }))
  const { initContainers = [], containers = [] } = pods(wish.children).spec?.template.spec ?? {}
  const all = [...initContainers, ...containers]
  expect(all.map(({ name }) => name)).toEqual(['reconfigure', 'logfile', 'slurmctld'])
  expect(all.every(({ terminationMessagePolicy }) => terminationMessagePolicy === 'FallbackToLogsOnError')).toBe(true)
})
