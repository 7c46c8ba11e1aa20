import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repairScript } from './repair-script.ts'

function run(files: readonly string[], pod = 'prod-controller-0'): string[] {
  const state = mkdtempSync(join(tmpdir(), 'state-'))
  for (const file of files) writeFileSync(join(state, file), '')
  execFileSync('sh', ['-c', repairScript], { env: { ...process.env, STATE: state, POD: pod } })
  return readdirSync(state).sort()
}

test.each([
  { name: 'an empty volume fails', files: [], after: [] },
  {
    name: 'a state that was never saved stops slurmctld for good',
    files: ['clustername', 'job_state'],
    after: ['job_state'],
  },
  {
    name: 'a sound state is touched',
    files: ['assoc_usage', 'clustername', 'job_state'],
    after: ['assoc_usage', 'clustername', 'job_state'],
  },
  {
    name: 'a save that was cut short counts as none',
    files: ['assoc_usage.old', 'clustername'],
    after: ['assoc_usage.old', 'clustername'],
  },
  {
    name: 'a backup that starts takes the name from the state of its primary',
    files: ['clustername', 'job_state'],
    pod: 'prod-controller-10',
    after: ['clustername', 'job_state'],
  },
])('$name', ({ files, pod, after }) => expect(run(files, pod)).toEqual(after))
