import { givingBack } from './giving-back.ts'
import { testSpecialHistories } from './test-histories.ts'

testSpecialHistories('a worker goes with a job that began on it after the last list, when it was given back', 800_000, {
  also: [givingBack],
})
