import { allAtOnce } from './all-at-once.ts'
import { testSpecialHistories } from './test-histories.ts'

testSpecialHistories('two rare things meet, and a job ends, or a NodeSet stalls', 950_600, allAtOnce)
