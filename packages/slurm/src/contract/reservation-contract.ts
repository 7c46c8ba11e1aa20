import { describe, expect, test } from 'vitest'
import { hasState } from '../states/node-states.ts'
import { buildBench } from './bench.ts'
import type { GetSlurm } from './slurm-under-test.ts'

const HOUR_MS = 3_600_000

/** The life of reservations. */
export function reservationContract(get: GetSlurm): void {
  const { client, known, view, soon } = buildBench(get)
  const nowMs = (): number => Math.floor(get().clock.now() / 1000) * 1000

  describe('reservations', () => {
    test('are made, changed, listed and deleted', async ({ skip }) => {
      skip(get().release < '25.05', 'this release cannot make reservations by REST')
      const startsAtMs = nowMs() + HOUR_MS
      await client().createReservation({
        name: 'ours',
        nodes: ['worker-1'],
        users: ['slurm'],
        startsAtMs,
        durationInMinutes: 30,
        flags: ['MAINT', 'IGNORE_JOBS'],
      })
      expect(await client().findReservation('ours')).toMatchObject({
        nodes: 'worker-1',
        users: ['slurm'],
        startsAtMs,
        endsAtMs: startsAtMs + HOUR_MS / 2,
      })
      await client().updateReservation({ name: 'ours', nodes: ['worker-[1-2]'] })
      expect(await client().findReservation('ours')).toMatchObject({ nodes: 'worker-[1-2]', startsAtMs })
      expect(await client().listReservations()).toMatchObject({ kind: 'listed', records: [{ name: 'ours' }] })
      await client().deleteReservation('ours')
      expect(await client().findReservation('ours')).toBeUndefined()
      await expect(client().deleteReservation('ours')).rejects.toMatchObject({ failure: 'not-found' })
    })

    test('with nodes that do not exist are refused', async ({ skip }) => {
      skip(get().release < '25.05', 'this release cannot make reservations by REST')
      const wish = { name: 'x', nodes: ['nope'], users: ['slurm'], startsAtMs: nowMs() + HOUR_MS, durationInMinutes: 1 }
      await expect(client().createReservation(wish)).rejects.toMatchObject({ failure: 'refused' })
    })

    test('that are active show on their nodes, protect them, and leave no trace', async ({ skip }) => {
      skip(get().release < '25.05', 'this release cannot make reservations by REST')
      view().hurry('nodes', 60_000)
      await client().createReservation({
        name: 'now',
        nodes: ['worker-2'],
        users: ['slurm'],
        startsAtMs: nowMs(),
        durationInMinutes: 60,
        flags: ['MAINT', 'IGNORE_JOBS'],
      })
      await soon('node shows its reservation', () => hasState(known('worker-2'), 'MAINTENANCE') === 'yes')
      expect(known('worker-2')).toMatchObject({ value: { reservation: 'now' } })
      await expect(client().deleteNode('worker-2')).rejects.toMatchObject({ errorNumber: 2016 })
      await client().deleteReservation('now')
      await soon('reservation gone from its node', () => hasState(known('worker-2'), 'RESERVED') === 'no')
    })
  })
}
