import { testHistories } from './test-histories.ts'

testHistories(0, 2)
