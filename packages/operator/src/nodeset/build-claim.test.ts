import { describe, expect, test } from 'vitest'
import { buildClaim } from './build-claim.ts'
import { aNodeSet } from './gen-build.ts'
import type { ClaimWish } from './steps.ts'

const size = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const labels = { team: 'a', 'app.kubernetes.io/name': 'database' }
const nodeSet = aNodeSet({
  volumeClaimTemplates: [
    { metadata: { name: 'scratch' }, spec: { accessModes: ['ReadWriteMany'] } },
    { metadata: { name: 'data', labels, annotations: { note: 'x' } }, spec: size },
  ] as never,
})
const build = (differences: Partial<ClaimWish> = {}) =>
  buildClaim(nodeSet, { template: 'data', name: 'data-gpu-0', exists: false, ownedByNodeSet: false, ...differences })

describe('a claim prevents that', () => {
  test('NS-191: a claim is not found again, because the labels of its template hide whose it is', () => {
    expect(build().metadata).toEqual({
      name: 'data-gpu-0',
      namespace: 'ns',
      labels: { team: 'a', 'app.kubernetes.io/name': 'slurmd', 'app.kubernetes.io/instance': 'gpu' },
      annotations: { note: 'x' },
    })
  })

  test('a worker gets the storage that another template describes', () => {
    expect(build().spec).toEqual(size)
    expect(build({ template: 'scratch', name: 'scratch-gpu-0' }).spec).toEqual({ accessModes: ['ReadWriteMany'] })
  })

  test('data goes with its NodeSet though it must stay, or stays though it must go', () => {
    expect(build().metadata).not.toHaveProperty('ownerReferences')
    expect(build({ ownedByNodeSet: true }).metadata.ownerReferences).toMatchObject([
      { kind: 'NodeSet', name: 'gpu', uid: 'uid-gpu', controller: true },
    ])
  })
})
