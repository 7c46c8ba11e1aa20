import { KubeError, type NodeSelector } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { createStillWorld } from '../testing/still-world.ts'
import type { World } from '../world/world.ts'
import { aController, aNodeSet, type SpecDifferences } from './gen-build.ts'
import { observeTemplate } from './observe-template.ts'

const ssh: SpecDifferences = { ssh: { enabled: true, sssdConfRef: { name: 's', key: 'k' } } }
const still = createStillWorld({ objects: [aController()], namespace: 'ns' }).world
/** The same with a server that has no answer about Secrets. */
const silent = {
  ...still,
  secrets: {
    read: () =>
      Promise.reject(new KubeError({ reason: 'InternalError', request: 'GET Secret s', detail: 'no answer' })),
  },
} as unknown as World

const observe = (spec: SpecDifferences, world: World) => observeTemplate(aNodeSet(spec), world, {})

describe('reading what workers are built from prevents that', () => {
  test('NS-179, WP-04: workers are built without what could not be read', async () => {
    const { facts, template } = await observe(ssh, silent)
    expect(facts).toMatchObject({ kind: 'impossible', reason: 'InputsUnreadable' })
    expect(facts).toHaveProperty('problem', expect.stringContaining('GET Secret s'))
    expect(template).toBeUndefined()
  })

  test('a Secret that is not there, or not needed, holds up all workers', async () => {
    expect((await observe(ssh, still)).facts.kind).toBe('built')
    expect((await observe({}, silent)).facts.kind).toBe('built')
  })

  test('workers are built with the key of a Controller that has another one since', async () => {
    const nodeSet = aNodeSet()
    const volumesIn = async (world: World) => (await observeTemplate(nodeSet, world, {})).template?.spec.volumes
    const other = aController({ slurmKeyRef: { name: 'new-auth', key: 'the-key' } })
    const later = createStillWorld({ objects: [other], namespace: 'ns' }).world
    expect(JSON.stringify(await volumesIn(still))).toContain('"auth"')
    expect(JSON.stringify(await volumesIn(later))).toContain('"new-auth"')
  })

  test('what pods get of the NodeSet itself is not compared, or what client programs write for themselves is', async () => {
    const nodeSet = aNodeSet()
    const labels = { ...nodeSet.metadata.labels, team: 'hpc' }
    const annotations = { note: 'x', 'kubectl.kubernetes.io/last-applied-configuration': '{}' }
    const own = { ...nodeSet, metadata: { ...nodeSet.metadata, labels, annotations } }
    const { facts } = await observeTemplate(own, still, {})
    expect(facts).toMatchObject({ placement: { labels: { team: 'hpc' }, annotations: { note: 'x' } } })
    expect(Object.keys(facts.kind === 'built' ? facts.placement.annotations : {})).toEqual(['note'])
  })

  test('NS-125: workers start on Kube nodes that the user excludes, because only the pod of one of them was looked at', async () => {
    const gpuOnly: NodeSelector = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'gpu', operator: 'Exists' }] }] }
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: gpuOnly }
    const template = { spec: { affinity: { nodeAffinity } } } as never
    const { facts } = await observe({ scalingMode: 'DaemonSet', template }, still)
    expect(facts).toMatchObject({ kind: 'built', placement: { requiredNodes: gpuOnly } })
  })
})
