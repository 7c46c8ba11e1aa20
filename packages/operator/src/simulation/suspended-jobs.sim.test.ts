import { jobSuspending } from './job-suspending.ts'
import { testSpecialHistories } from './test-histories.ts'

testSpecialHistories('a job ends because it is suspended, and Slurm calls its node idle', 820_000, {
  also: [jobSuspending],
})
