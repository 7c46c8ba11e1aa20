/**
 * Contenders in simulated time, with everything that may happen to processes, networks and clocks. Each of them writes
 * whenever its gate lets it, and the server looks at who holds the Lease in the moment a write arrives.
 */
import { expect, test } from 'vitest'
import { createRandomSource } from '@slurm-operator/testkit'
import { ElectionWorld } from './simulated/gen.ts'

const SEEDS = Number(process.env['SIM_SEEDS'] ?? 60)
const FROM = Number(process.env['SIM_FROM'] ?? 1)
const STEPS = 150

for (const whenUncertain of ['end', 'hold'] as const) {
  test(`a write of a process that does not hold the Lease, or a Lease that nobody gets: in no history (${whenUncertain})`, async () => {
    let writes = 0
    for (let seed = FROM; seed < FROM + SEEDS; seed++) {
      const world = new ElectionWorld(createRandomSource(seed), whenUncertain)
      for (let step = 0; step < STEPS; step++) await world.step()
      const leaders = await world.calmDown()
      expect({ seed, accidents: world.accidents, leaders }).toEqual({
        seed,
        accidents: [],
        leaders: [expect.any(String)],
      })
      writes += world.writes
    }
    expect(writes / SEEDS, 'a test in which nobody writes proves nothing').toBeGreaterThan(50)
  })
}
