import { describe, expect, test } from 'vitest'
import { isDown } from '../states/node-states.ts'
import { buildBench, measured } from './bench.ts'
import type { GetSlurm } from './slurm-under-test.ts'

/** An order to a slurmctld that is known to be away fails at once; one to a slurmrestd that hangs, at its deadline. */
const KNOWN_TO_BE_AWAY_MS = 3000
const DEADLINE_MS = 16_000
const TRIED = 'the same in every release, and tried with another'

/** What happens when a part of Slurm is away, and how fast everything is known again. */
export function outageContract(get: GetSlurm): void {
  const { client, known, soon } = buildBench(get)
  const isSeen = (): boolean => known('worker-1').kind === 'seen'
  const isLost = (): boolean => known('worker-1').kind === 'unknown'
  const isUnreachable = (): boolean => get().connection.health().state === 'unreachable'
  const hurry = (): void => get().connection.view.hurry('nodes', 120_000)

  /** How long an order takes that cannot succeed. */
  async function failingOrderMs(): Promise<number> {
    const { clock } = get()
    const beganMs = clock.monotonic()
    await expect(client().updateNode('worker-1', { comment: 'x' })).rejects.toMatchObject({ failure: 'unavailable' })
    return clock.monotonic() - beganMs
  }

  describe('outages', () => {
    test.for(['stopped', 'killed'] as const)('slurmctld is %s and returns', async (how, { skip }) => {
      skip(get().isBrief && how === 'killed', TRIED)
      hurry()
      await get().endController(how)
      try {
        await soon(`slurmctld ${how}: noticed`, isLost)
        await soon(`slurmctld ${how}: and its cause`, isUnreachable)
        expect(await failingOrderMs()).toBeLessThan(KNOWN_TO_BE_AWAY_MS)
      } finally {
        await get().startController() // or the tests after this one fail as well
      }
      await soon(`slurmctld ${how}: known again after its return`, isSeen)
    })

    test('slurmctld returns with the jobs and the drain that it had', async () => {
      hurry()
      await client().updateNode('worker-1', { state: 'DRAIN', reason: 'slurm-operator: test' })
      try {
        await soon('drained before the restart', () => known('worker-1').kind === 'seen')
        await get().endController('stopped')
        await get().startController()
        await get().wait(get().connection.view.refresh('nodes', 15_000)) // what was seen before proves nothing
        await soon('slurmctld restarted: drain still known', () => {
          const node = known('worker-1')
          return node.kind === 'seen' && node.value.states.includes('DRAIN')
        })
      } finally {
        await client().updateNode('worker-1', { state: 'UNDRAIN' }) // or no job of the tests after this one begins
      }
      await soon('undrained after the restart', () => {
        const node = known('worker-1')
        return node.kind === 'seen' && !node.value.states.includes('DRAIN')
      })
    })

    test('slurmrestd is killed and returns', async () => {
      hurry()
      await get().killRestd()
      await soon('slurmrestd killed: noticed', isLost)
      await get().startRestd()
      await soon('slurmrestd killed: known again after its return', isSeen)
    })

    test('slurmrestd hangs and goes on', async ({ skip }) => {
      skip(get().isBrief, TRIED)
      hurry()
      const goOn = await get().stallRestd()
      try {
        await soon('slurmrestd hung: noticed', isLost)
        await soon('slurmrestd hung: and its cause', isUnreachable)
        const tookMs = await failingOrderMs()
        measured.push(`slurmrestd hung: an order gave up after ${Math.round(tookMs)} ms`)
        expect(tookMs).toBeLessThan(DEADLINE_MS)
      } finally {
        goOn()
      }
      await soon('slurmrestd hung: known again after it goes on', isSeen)
      expect(isDown(known('worker-1'))).not.toBe('unknown')
    })
  })
}
