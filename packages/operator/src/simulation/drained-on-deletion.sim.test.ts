import { annotationKeys, YES } from '@slurm-operator/api'
import { drainedDeletions } from './drained-deletion.ts'
import { testSpecialHistories } from './test-histories.ts'

testSpecialHistories('a job ends with its NodeSet, which was asked to drain its workers first', 810_000, {
  also: drainedDeletions,
  annotations: { [annotationKeys.drainOnDelete]: YES },
})
