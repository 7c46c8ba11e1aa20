import type { Taint, Toleration } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { aKubeNode, aPlacement } from './gen.ts'
import { judgePlace } from './placement.ts'

const gpuOnly = { key: 'gpu', value: 'only', effect: 'NoSchedule' } as const
const worker = { key: 'nodeset.slinky.slurm.net/worker', effect: 'NoExecute' } as const
/** Whether a pod with this toleration may start on a Kube node with this taint; nobody checks what a chart writes. */
function mayStart(toleration: unknown, taint: Taint): boolean {
  const tolerations = [toleration as Toleration]
  return judgePlace(aPlacement({ tolerations }), aKubeNode('n1', { taints: [taint] })).mayStart
}

describe('tolerations as charts write them: an empty text is the same as none', () => {
  test.each([
    [{ key: 'gpu', operator: 'Exists', effect: '' }],
    [{ key: '', operator: 'Exists', effect: '' }],
    [{ key: 'gpu', operator: '', value: 'only' }],
    [{ key: 'gpu', operator: '', value: 'only', effect: '' }],
  ])('no worker starts, although it tolerates the taint: %j', (toleration) => {
    expect(mayStart(toleration, gpuOnly)).toBe(true)
  })
  test.each([
    [{ key: 'gpu', operator: '', value: '' }],
    [{ key: 'other', operator: 'Exists', effect: '' }],
    [{ key: '', operator: '', value: 'only' }],
    [{ key: 'gpu', operator: 'Lt', value: 'only' }],
    [{ key: 'gpu', operator: 'Exists', effect: 'NoExecute' }],
  ])('a worker is sent where it cannot start: %j', (toleration) => {
    expect(mayStart(toleration, gpuOnly)).toBe(false)
  })
  test.each([
    [worker, { ...worker, operator: 'Equal', value: '' }],
    [worker, { ...worker, operator: 'Equal' }],
    [
      { ...worker, value: '' },
      { ...worker, operator: 'Equal' },
    ],
  ])('the taint for workers keeps them away: %j', (taint, toleration) => {
    expect(mayStart(toleration, taint)).toBe(true)
  })
  test('a worker that may stay for so many seconds is sent away at once', () => {
    const placement = aPlacement({ tolerations: [{ ...worker, operator: 'Exists', tolerationSeconds: 60 }] })
    // When the time is over Kubernetes evicts it; a DaemonSet counts on nothing else.
    expect(judgePlace(placement, aKubeNode('n1', { taints: [worker] })).mayStay).toBe(true)
  })
})
