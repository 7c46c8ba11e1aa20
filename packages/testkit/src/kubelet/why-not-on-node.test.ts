import type { Node, Pod } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { workerPod } from './gen.ts'
import { staysForSeconds, whyNotOnNode } from './why-not-on-node.ts'

const node = (spec: NonNullable<Node['spec']> = {}): Node => {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'one', labels: { pool: 'gpu' } }, spec }
}
const pod = (spec: Partial<NonNullable<Pod['spec']>>): Pod => workerPod('w-0', spec)
const only = (term: object): Partial<NonNullable<Pod['spec']>> => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } },
})
const named = (name: string) => only({ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] })
const taint = { key: 'broken', effect: 'NoExecute' } as const

describe('a pod', () => {
  test.for([
    ['a node without anything special', pod({}), node()],
    ['its pool', pod({ nodeSelector: { pool: 'gpu' } }), node()],
    ['the node that it names', pod(named('one')), node()],
    ['a taint that it tolerates', pod({ tolerations: [{ operator: 'Exists' }] }), node({ taints: [taint] })],
  ] as const)('fits %s', ([, one, place]) => {
    expect(whyNotOnNode(one, place, [])).toBeUndefined()
  })

  test.for([
    ['another pool', pod({ nodeSelector: { pool: 'cpu' } }), node(), 'selector'],
    ['another node than the one it names', pod(named('two')), node(), 'affinity'],
    ['any node with an empty term', pod(only({})), node(), 'affinity'],
    ['a cordoned node', pod({}), node({ unschedulable: true }), 'unschedulable'],
    ['a taint', pod({}), node({ taints: [taint] }), 'the taint broken'],
  ] as const)('does not fit %s', ([, one, place, why]) => {
    expect(whyNotOnNode(one, place, [])).toContain(why)
  })

  test.for([
    [[], 0],
    [[{ key: 'broken', operator: 'Exists', tolerationSeconds: 300 }], 300],
    [[{ key: 'broken', operator: 'Exists' }], undefined],
  ] as const)('stays under a taint as long as %j says', ([tolerations, seconds]) => {
    expect(staysForSeconds(pod({ tolerations }), taint)).toBe(seconds)
  })
})
