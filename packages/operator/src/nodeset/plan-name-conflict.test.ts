import { annotationKeys, labelKeys } from '@slurm-operator/api'
import { seen, type SlurmNode } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { aKubeNode, aPicture, aSlurmNode, aWorker, infoFor, inShort, NOW } from './gen.ts'
import { REGISTRATION } from './picture-keys.ts'
import type { KubeNode, Wanted, Worker } from './picture.ts'
import { planNodeSet } from './plan.ts'

/** What makes us give an order. */
interface Cause {
  readonly record?: Partial<SlurmNode>
  readonly node?: Partial<KubeNode>
  readonly worker?: Partial<Worker>
  readonly wanted?: Partial<Wanted>
}

const OURS = '10.0.0.1'
const THEIRS = '10.0.0.9'
const byUser = { annotations: { [annotationKeys.podCordon]: 'true' } }
const drained = { states: ['IDLE', 'DRAIN'] }

/** The orders for foo-0, whose record has a note of another NodeSet and is that of the slurmd at this address. */
function ordersTo(address: string, { record, node, worker, wanted }: Cause): string[] {
  const comment = infoFor('foo-0', 'n1').replace('default', 'other')
  const slurmNode = seen(aSlurmNode({ comment, address, ...record }), NOW)
  const foo = aWorker('foo-0', { nodeName: 'n1', podIp: OURS, slurmNode, ...worker })
  const kubeNodes = [aKubeNode('n1', node)]
  const { steps } = planNodeSet(aPicture({ workers: [foo], kubeNodes, wanted: { replicas: 1, ...wanted } }))
  return inShort({ steps: steps.filter((step) => 'slurmName' in step) })
}

describe('WP-46: a worker of another NodeSet that has the same name in Slurm', () => {
  test.each<[string, string, Cause]>([
    ['is drained', 'drain', { worker: byUser }],
    ['is drained because ours must leave', 'drain', { wanted: { replicas: 0 } }],
    ['is undrained', 'undrain', { record: drained }],
    ['is resumed', 'resume', { record: { states: ['DOWN'] } }],
    ['gets our topology', 'update-slurm-node', { node: { annotations: { [annotationKeys.topology]: 'block:b0' } } }],
    ['gets our features', 'update-slurm-node', { node: { annotations: { [annotationKeys.features]: 'gpu' } } }],
    [
      'loses its record when ours ends',
      'prune-record',
      { record: { states: ['DOWN', 'DRAIN'] }, worker: { annotations: { [REGISTRATION]: 'r0' }, terminating: true } },
    ],
    [
      'lets our pod be evicted, because it is drained itself',
      'unprotect-pod',
      {
        ...{ record: drained, wanted: { protects: 'until-drained' } },
        worker: { ...byUser, labels: { [labelKeys.podProtect]: 'true' } },
      },
    ],
  ])('%s', (_name, order, cause) => {
    expect(ordersTo(OURS, cause)).toContain(`${order} foo-0`)
    expect(ordersTo(THEIRS, cause)).toEqual([])
  })
})
