import { sleep } from '@slurm-operator/kube'
import { expect, test } from 'vitest'
import { createRandomSource, type RandomSource } from '@slurm-operator/testkit'
import { settled, type Outcome } from '../outcome/outcome.ts'
import { key, startLoop } from './gen.ts'

const SEEDS = Number(process.env['SIM_SEEDS'] ?? 100)
const FROM = Number(process.env['SIM_FROM'] ?? 1)
const KEYS = 40
const limits = { deadlineMs: 5_000, abortGraceMs: 1_000 }

function anyOutcome(random: RandomSource): Outcome {
  const kind = random.below(4)
  if (kind === 0) return { kind: 'look-again', inSeconds: random.next() * 5 }
  if (kind === 1) return { kind: 'retry', errors: [new Error('not yet')], atLatestInSeconds: 3 }
  if (kind === 2) return { kind: 'stalled', reason: 'Bad', because: 'bad' }
  return settled
}

/** Passes that take any time, throw, hang for a while and ignore their signal; wake-ups at any moment. */
async function live(seed: number) {
  const random = createRandomSource(seed)
  let calm = false
  const owed = new Set<string>()
  const workers = 1 + random.below(8)
  const world = startLoop(
    async ({ name }, { signal }) => {
      owed.delete(name)
      if (calm) return settled
      if (random.chance(0.1)) throw new Error('thrown')
      if (random.chance(0.02)) await sleep(world.clock, 20_000) // deaf for longer than it is waited for
      else if (random.chance(0.05)) await sleep(world.clock, 3600_000, signal)
      else if (random.chance(0.7)) await sleep(world.clock, random.below(300), signal)
      return anyOutcome(random)
    },
    { workers, limits },
  )
  for (let step = 0; step < 300; step++) {
    const name = String(random.below(KEYS))
    owed.add(name)
    world.loop.wake(key(name), {
      priority: random.pick(['normal', 'low']),
      inMs: random.chance(0.3) ? random.below(2000) : 0,
    })
    await world.clock.advance(random.below(100))
    const { activeWorkers } = world.loop.gauges()
    if (activeWorkers > workers) world.accidents.push(`${activeWorkers} passes with ${workers} workers`)
  }
  calm = true
  await world.clock.advance(60_000)
  world.stop()
  await world.clock.drive(world.ended)
  return { ...world, owed }
}

test('two passes over one key, a lost wake-up, or more passes than workers: in no history', async () => {
  for (let seed = FROM; seed < FROM + SEEDS; seed++) {
    const { accidents, owed, loop } = await live(seed)
    expect({ seed, accidents, owed: [...owed], sick: loop.whyUnhealthy() }).toEqual({
      seed,
      accidents: [],
      owed: [],
      sick: undefined,
    })
  }
})
