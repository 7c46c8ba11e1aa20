import { expect, test } from 'vitest'
import { registeredIn } from './workers.ts'

test('a worker counts as registered although slurmctld has not heard of it', () => {
  const sinfo = 'worker-1 idle \nworker-2 down*\nworker-3 idle*\nworker-4 unknown\nworker-5 mixed\nworker-6 drained\n'
  expect([...registeredIn(sinfo)]).toEqual(['worker-1', 'worker-5', 'worker-6'])
})

test('no worker at all counts as one without a name', () => {
  expect(registeredIn('')).not.toContain('worker-1')
})
