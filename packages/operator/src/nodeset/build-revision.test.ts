import { expect, test } from 'vitest'
import { buildRevision } from './build-revision.ts'
import { aNodeSet } from './gen-build.ts'
import { aPicture, stepsThat } from './gen.ts'
import { planNodeSet } from './plan.ts'

test('NS-067: the first revision is not found again, or stays behind when its NodeSet goes', () => {
  const json = '{"spec":{"ordinalPadding":3}}'
  const revisions = { wantedJson: json, existing: [] }
  const plan = planNodeSet(aPicture({ revisions, wanted: { name: 'gpu', replicas: 0 } }))
  const [step, ...more] = stepsThat(plan, 'create-revision')
  if (step === undefined) throw new Error('no revision is made')
  const { metadata, revision, data } = buildRevision(aNodeSet(), step)
  expect([more, step.hash, step.name]).toEqual([[], plan.revisionHash, `gpu-${plan.revisionHash}`])
  expect([metadata.name, metadata.namespace, revision, data]).toEqual([step.name, 'ns', 1, JSON.parse(json)])
  expect(metadata.labels).toEqual({
    'app.kubernetes.io/name': 'slurmd',
    'app.kubernetes.io/instance': 'gpu',
    'controller.kubernetes.io/hash': plan.revisionHash,
  })
  expect(metadata.ownerReferences).toMatchObject([{ kind: 'NodeSet', name: 'gpu', uid: 'uid-gpu', controller: true }])
})
