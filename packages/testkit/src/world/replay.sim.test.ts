import { isConflict, isNotFound, KubeError, sleep, type ConfigMap, type Live } from '@slurm-operator/kube'
import { describe, expect, test } from 'vitest'
import { inhabit, thing, type Inhabitant } from './gen.ts'
import { commonFates, planTrouble, planUntil } from './plan.ts'

const SEEDS = 40
const TROUBLE_MS = 60_000

/** A small program: three of it count in the same objects, and never give up. */
async function count({ configMaps, process }: Inhabitant, name: string, times: number): Promise<void> {
  for (let done = 0; done < times;) {
    try {
      const present = await configMaps.find({ namespace: 'default', name }, { timeoutMs: 5_000 })
      if (present === undefined) await configMaps.create(thing(name, '0'), { timeoutMs: 5_000 })
      else if (await countOnce(present, { configMaps, process, client: undefined as never })) done++
    } catch (error) {
      if (!(error instanceof KubeError)) throw error
      await sleep(process.clock, 100 + process.random.below(1000))
    }
  }
}

/** Only a count that is surely stored counts; one that may be is looked at again. */
async function countOnce(present: Live<ConfigMap>, { configMaps }: Inhabitant): Promise<boolean> {
  const next = { ...present, data: { value: String(Number(present.data?.['value'] ?? 0) + 1) } }
  try {
    await configMaps.update(next, { timeoutMs: 5_000 })
    return true
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return false
    throw error
  }
}

async function history(seed: number) {
  const inhabited = await inhabit({ seed, order: 'chance' })
  const { world, server, start } = inhabited
  const trouble = planTrouble(world.random.stream('trouble'), { chance: 0.2, quota: 50, fates: commonFates })
  world.follow(planUntil(() => world.clock.monotonic() < TROUBLE_MS, trouble))
  const versions: number[] = []
  server.listen(({ version }) => versions.push(version))
  const counting = Promise.all(
    ['one', 'two', 'three'].map((name) => count(start(name), name === 'three' ? 'b' : 'a', 5)),
  )
  await world.clock.drive(counting, 24 * 3_600_000)
  return { lines: world.trace.lines(), versions, atMs: world.clock.monotonic() }
}

describe('histories with faults', () => {
  test('are the same for the same seed, to the last message', async () => {
    for (const seed of [1, 2, 3]) expect((await history(seed)).lines).toEqual((await history(seed)).lines)
  })

  test('are different for different seeds, all come to an end, and versions only grow', async () => {
    const traces = new Set<string>()
    for (let seed = 0; seed < SEEDS; seed++) {
      const { lines, versions } = await history(seed)
      traces.add(lines.join('\n'))
      expect(versions, `seed ${seed}`).toEqual([...new Set(versions)].sort((a, b) => a - b))
    }
    expect(traces.size).toBe(SEEDS)
  })
})
