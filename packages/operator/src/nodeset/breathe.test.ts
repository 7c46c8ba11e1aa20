import { createVirtualClock } from '@slurm-operator/testkit'
import { describe, expect, test } from 'vitest'
import type { World } from '../world/world.ts'
import { breathe } from './breathe.ts'
import { aPicture, aWorker } from './gen.ts'
import type { Observed } from './observe.ts'

async function pausesWith(workers: number): Promise<boolean> {
  const clock = createVirtualClock()
  const picture = aPicture({ workers: Array.from({ length: workers }, (_, index) => aWorker(`foo-${index}`)) })
  let isOver = false
  const over = breathe({ clock } as unknown as World, { picture } as Observed).then(() => (isOver = true))
  for (let turns = 0; turns < 10; turns++) await Promise.resolve()
  const pauses = !isOver
  await clock.advance(1)
  await over
  return pauses
}

describe('a NodeSet prevents that', () => {
  test('nobody else has a turn while thousands of workers are looked at, planned for and told of', async () => {
    expect(await pausesWith(1000)).toBe(true)
  })

  test('passes over few workers take longer than they must', async () => {
    expect(await pausesWith(10)).toBe(false)
  })
})
