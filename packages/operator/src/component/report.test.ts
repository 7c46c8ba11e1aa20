import { serviceResource } from '@slurm-operator/kube'
import type { ChildResult, Happening, StatusResult, StatusWriter } from '@slurm-operator/runtime'
import { describe, expect, test } from 'vitest'
import { stateOf } from '../reasons/reasons.ts'
import { stored } from '../testing/still-server.ts'
import { stillPass } from '../testing/still-world.ts'
import type { Kept } from '../world/trim.ts'
import { report, type Findings } from './report.ts'

const object = stored({ apiVersion: 'slinky.slurm.net/v1beta1', kind: 'LoginSet', metadata: { name: 'front' } }, 'hpc')
type Told = Kept<typeof object>
type WantedStatus = Parameters<StatusWriter<Told>['write']>[1]

const step = { resource: serviceResource, key: { namespace: 'hpc', name: 'front' }, because: 'it is being deleted' }
const failed = {
  kind: 'failed',
  step: { ...step, do: 'create' },
  error: new Error('no room'),
} as unknown as ChildResult
const waiting = { kind: 'waiting', step: { ...step, do: 'wait', lookAgainInSeconds: 7 } } as unknown as ChildResult
const refused = {
  kind: 'refused',
  step: { ...step, do: 'refuse', because: 'Service front belongs to somebody else', refusal: { reason: 'NotOurs' } },
} as unknown as ChildResult
const missing = { reason: 'WaitingForReference', because: 'Secret a does not exist.' } as const
const judgement = { state: stateOf('Ready', 'All is well.') }

/** What one pass tells: the status that it wants written, its Events, and what it wishes. */
async function tell(findings: Partial<Findings<Told>>, answer: StatusResult<Told>['kind'] = 'written') {
  const statuses: WantedStatus[] = []
  const events: string[] = []
  const writer = { write: async (_live: Told, wanted: WantedStatus) => (statuses.push(wanted), { kind: answer }) }
  const outcome = await report(
    {
      writer: writer as unknown as StatusWriter<Told>,
      record: ({ reason, note }: Happening) => void events.push(`${reason}: ${note}`),
    },
    { stored: object, obstacles: [], results: [], judgement, at: { pass: stillPass }, ...findings },
  )
  const ready = statuses[0]?.conditions.find(({ type }) => type === 'Ready')
  return { outcome, events, ready: [ready?.reason, ready?.message], conditions: statuses[0]?.conditions ?? [] }
}

describe('the report of a pass prevents that', () => {
  test('a working object is shown ready while something is missing, failed or waited for', async () => {
    expect((await tell({})).ready).toEqual(['Ready', 'All is well.'])
    expect((await tell({ results: [waiting] })).ready).toEqual([
      'WaitingForDeletion',
      'Service front: it is being deleted.',
    ])
    expect((await tell({ results: [waiting, failed] })).ready).toEqual(['WriteFailed', 'no room'])
    expect((await tell({ results: [failed, refused] })).ready[0]).toBe('WriteFailed')
    expect((await tell({ results: [refused] })).ready[0]).toBe('ObjectNotOurs')
    expect((await tell({ results: [failed, refused], obstacles: [missing] })).ready).toEqual([
      'WaitingForReference',
      'Secret a does not exist.',
    ])
  })

  test('of several missing objects people learn one at a time', async () => {
    const second = { ...missing, because: 'Secret b does not exist.' }
    const { ready } = await tell({ obstacles: [missing, second] })
    expect(ready[1]).toBe('Secret a does not exist. Secret b does not exist.')
  })

  test('the conditions of the room itself are forgotten', async () => {
    const line = { type: 'SlurmReachable', status: 'True', reason: 'Ready', message: '' } as const
    const { conditions } = await tell({ judgement: { ...judgement, conditions: [line] } })
    expect(conditions).toContainEqual(line)
  })

  test('an Event is told again and again while the status cannot be written', async () => {
    expect((await tell({ obstacles: [missing] }, 'conflict')).events).toEqual([])
    expect((await tell({ obstacles: [missing] })).events).toEqual([
      'SyncFailed: WaitingForReference: Secret a does not exist.',
    ])
  })

  test('nobody looks again where only time tells', async () => {
    const { outcome } = await tell({ judgement: { ...judgement, lookAgainInSeconds: 15 } })
    expect(outcome).toMatchObject({ kind: 'look-again', inSeconds: 15 })
  })
})
