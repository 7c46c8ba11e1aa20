import type { NodeSelector, PodAffinityTerm, PodSpec } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { podOf, type SpecDifferences } from './gen-build.ts'
import { numberedIdentity } from './picture-identity.ts'
import type { WorkerWish } from './steps.ts'

const HASH = 'controller.kubernetes.io/hash'
const withPod = (spec: object): SpecDifferences => ({ template: { spec } })
const specOf = (spec: SpecDifferences, worker?: Partial<WorkerWish>): PodSpec | undefined => podOf(spec, worker).spec
const onDaemonNode = {
  ...{ ordinalText: undefined, name: undefined, hostname: 'node-1', node: 'node-1' },
} satisfies Partial<WorkerWish>

const gpuOnly: NodeSelector = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'gpu', operator: 'Exists' }] }] }
const preferred = [
  { weight: 1, preference: { matchExpressions: [{ key: 'fast', operator: 'Exists' as const }] } },
] as const
const nodeAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: gpuOnly,
  preferredDuringSchedulingIgnoredDuringExecution: preferred,
}

const apart: PodAffinityTerm = {
  topologyKey: 'kubernetes.io/hostname',
  labelSelector: { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: ['slurmd'] }] },
}
const usersTerm: PodAffinityTerm = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'noisy' } } }
const usersAffinity = {
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [usersTerm] } },
}
const termsOf = (spec: SpecDifferences): unknown =>
  specOf(spec)?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution

describe('protection from eviction', () => {
  const label = 'nodeset.slinky.slurm.net/pod-protect'
  test('comes when a job runs already, or is there unasked', () => {
    expect(podOf({}, { isProtected: true }).metadata.labels?.[label]).toBe('true')
    expect(podOf().metadata.labels).not.toHaveProperty(label)
  })
})

describe('a place for a worker pod prevents that', () => {
  test('NS-126: the worker of one Kube node is started on another, or what the user prefers is forgotten', () => {
    const affinity = specOf({ scalingMode: 'DaemonSet', ...withPod({ affinity: { nodeAffinity } }) }, onDaemonNode)
      ?.affinity?.nodeAffinity
    const here = { key: 'metadata.name', operator: 'In', values: ['node-1'] }
    expect(affinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual({
      nodeSelectorTerms: [{ matchFields: [here] }],
    })
    expect(affinity?.preferredDuringSchedulingIgnoredDuringExecution).toEqual(preferred)
  })

  test('a worker that may run anywhere forgets where the user wants it', () => {
    expect(specOf(withPod({ affinity: { nodeAffinity } }))?.affinity?.nodeAffinity).toEqual(nodeAffinity)
  })

  test('NS-127: two workers share one machine and both offer all of it', () => {
    expect(termsOf({ oversubscribeNode: false })).toEqual([apart])
  })

  test('NS-128: a worker runs beside what the user keeps away from it', () => {
    expect(termsOf({ oversubscribeNode: false, ...withPod(usersAffinity) })).toEqual([usersTerm, apart])
  })

  test('NS-129: workers that may share a machine are kept apart', () => {
    expect(specOf({ oversubscribeNode: true })?.affinity).toBeUndefined()
    expect(termsOf({ oversubscribeNode: true, ...withPod(usersAffinity) })).toEqual([usersTerm])
  })

  test('a user places pods past the scheduler', () => {
    expect(specOf(withPod({ nodeName: 'n1' }))).not.toHaveProperty('nodeName')
    expect(specOf(withPod({ nodeName: 'n1' }), onDaemonNode)).not.toHaveProperty('nodeName')
  })
})

describe('the identity of a worker pod prevents that', () => {
  const label = (name: string): string => `nodeset.slinky.slurm.net/${name}`
  const numbered = (ordinal: number, ordinalPadding = 0): Partial<WorkerWish> =>
    numberedIdentity({ name: 'gpu', ordinalPadding, hostnamePrefix: '' }, ordinal)

  test('NS-112: nobody knows the number, the name or the host name of a worker, or how it is scaled', () => {
    const { metadata, spec } = podOf({}, numbered(0))
    expect([metadata.name, metadata.generateName, spec?.hostname]).toEqual(['gpu-0', 'gpu-', 'gpu-0'])
    expect(metadata.labels).toMatchObject({
      ...{ [label('pod-index')]: '0', [label('pod-name')]: 'gpu-0', [label('pod-hostname')]: 'gpu-0' },
      [label('scaling-mode')]: 'StatefulSet',
    })
  })

  test('NS-113: the number loses its zeros', () => {
    const { metadata } = podOf({ ordinalPadding: 3 }, numbered(7, 3))
    expect(metadata.name).toBe('gpu-007')
    expect(metadata.labels).toMatchObject({ [label('pod-index')]: '007', [label('pod-name')]: 'gpu-007' })
  })

  test('NS-120: the worker of a Kube node has a number or a name of its own, or is placed past the scheduler', () => {
    const { metadata, spec } = podOf({ scalingMode: 'DaemonSet' }, onDaemonNode)
    expect(metadata).toMatchObject({ generateName: 'gpu-' })
    expect(metadata).not.toHaveProperty('name')
    expect(spec).toMatchObject({ hostname: 'node-1' })
    expect(spec).not.toHaveProperty('nodeName')
    expect(metadata.labels).toMatchObject({
      ...{ [label('pod-hostname')]: 'node-1', [label('scaling-mode')]: 'DaemonSet' },
    })
    for (const name of ['pod-index', 'pod-name']) expect(metadata.labels).not.toHaveProperty([label(name)])
  })

  test('NS-131: a worker looks outdated because the hash of its template is not known', () => {
    expect(podOf({}, { revisionHash: '' }).metadata.labels).not.toHaveProperty([HASH])
    expect(podOf({}, { revisionHash: 'abc' }).metadata.labels).toHaveProperty([HASH], 'abc')
  })
})

describe('the volumes of a worker pod prevent that', () => {
  const claims = [{ template: 'data', name: 'data-gpu-0', exists: true, ownedByNodeSet: false }]
  const data = { name: 'data', hostPath: { path: '/data' } }

  test('NS-198: a worker writes its data on the Kube node instead of its claim', () => {
    const volumes = specOf(withPod({ volumes: [data] }), { claims })?.volumes ?? []
    expect(volumes.filter(({ name }) => name === 'data')).toEqual([
      { name: 'data', persistentVolumeClaim: { claimName: 'data-gpu-0' } },
    ])
    expect(volumes.map(({ name }) => name)).toContain('slurm-etc')
  })

  test('a volume of the user goes though there is no claim of its name', () => {
    const volumes = specOf(withPod({ volumes: [{ ...data, name: 'scratch' }] }), { claims })?.volumes
    expect(volumes).toContainEqual({ ...data, name: 'scratch' })
  })
})
