import { administering } from './administering.ts'
import { testSpecialHistories } from './test-histories.ts'

testSpecialHistories('what administrators do by hand is undone, ends a job, or stalls a NodeSet', 840_000, {
  also: administering,
})
