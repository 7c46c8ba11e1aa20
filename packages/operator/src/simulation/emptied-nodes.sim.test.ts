import { annotationKeys, YES } from '@slurm-operator/api'
import { nodeEmptying } from './node-emptying.ts'
import { testSpecialHistories } from './test-histories.ts'

testSpecialHistories('kubectl drain ends a job of a worker that is protected until it is drained', 700_000, {
  also: [nodeEmptying],
  annotations: { [annotationKeys.protectUntilDrained]: YES },
})
