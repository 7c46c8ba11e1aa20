import { expect, test } from 'vitest'
import type { V42 } from '../generated/v0.0.42.ts'
import type { V45 } from '../generated/v0.0.45.ts'
import type { JobBaseState, JobStateFlag } from './job-state-words.ts'
import { endedJobStates, jobStateFlags, liveJobStates } from './job-state-words.ts'
import { nodeBaseStates, nodeStateFlags, type NodeBaseState, type NodeStateFlag } from './node-state-words.ts'

type NodeWords = NonNullable<V42['Node']['state'] | V45['Node']['state']>[number]
type JobWords = NonNullable<V42['JobInfo']['job_state'] | V45['JobInfo']['job_state']>[number]
type Nothing<T> = [T] extends [never] ? true : false

test('a word that slurmrestd documents and we forgot does not compile', () => {
  const noNodeWordForgotten: Nothing<Exclude<NodeWords, NodeBaseState | NodeStateFlag>> = true
  const noNodeWordInvented: Nothing<Exclude<NodeBaseState | NodeStateFlag, NodeWords>> = true
  const noJobWordForgotten: Nothing<Exclude<JobWords, JobBaseState | JobStateFlag>> = true
  const noJobWordInvented: Nothing<Exclude<JobBaseState | JobStateFlag, JobWords>> = true
  expect([noNodeWordForgotten, noNodeWordInvented, noJobWordForgotten, noJobWordInvented]).not.toContain(false)
})

test('no word is both a base state and a flag', () => {
  const nodeWords: readonly string[] = [...nodeBaseStates, ...nodeStateFlags]
  const jobWords: readonly string[] = [...liveJobStates, ...endedJobStates, ...jobStateFlags]
  expect(new Set(nodeWords).size).toBe(nodeWords.length)
  expect(new Set(jobWords).size).toBe(jobWords.length)
})
