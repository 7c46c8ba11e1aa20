import { configMapResource, createClientOn } from '@slurm-operator/kube'
import { createApiServer, createWorld, planTrouble, planUntil } from '@slurm-operator/testkit'
import { expect, test } from 'vitest'
import { Cache, withoutManagedFields } from '../cache/cache.ts'
import { Witness, type Kept } from './gen.ts'

const SEEDS = Number(process.env['SIM_SEEDS'] ?? 150)
const FROM = Number(process.env['SIM_FROM'] ?? 1)
const TROUBLE_MS = 120_000

/** A cache in a process of its own, other people's writes, faults of all kinds; then peace. */
async function history(seed: number) {
  const world = createWorld({ seed })
  const server = await createApiServer({ clock: world.clock, random: world.random.stream('server') })
  const operator = world.start('operator')
  const reader = createClientOn(world.connect(operator, server.transport), {
    clock: operator.clock,
    random: operator.random.next,
  })
  const cache = new Cache<Kept, Kept>({
    name: 'configmaps',
    reader: reader.resource(configMapResource),
    keep: withoutManagedFields,
    clock: operator.clock,
    random: operator.random.next,
  })
  const witness = new Witness()
  cache.listen(witness.hear)
  const stop = new AbortController()
  const ended = cache.run({ stop: stop.signal, abort: stop.signal, ready: () => {} })
  const trouble = planTrouble(world.random.stream('trouble'), { chance: 0.2, quota: 200 })
  world.follow(planUntil(() => world.clock.monotonic() < TROUBLE_MS, trouble))
  const others = createClientOn(server.transport, { clock: world.clock }).resource(configMapResource)
  const random = world.random.stream('others')
  for (let step = 0; step < 120; step++) {
    const metadata = { namespace: 'default', name: `thing-${random.below(12)}` }
    const wanted = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { step: String(step) } } as const
    if (random.chance(0.3)) await world.clock.drive(others.delete(metadata).catch(() => {})) // it need not exist
    else await world.clock.drive(others.apply(wanted, { fieldManager: 'others', force: true }))
    if (random.chance(0.03)) server.compact()
    await world.clock.advance(random.below(2_000))
  }
  const stored = server
    .all(configMapResource)
    .map(({ metadata }) => `${metadata.uid}@${metadata.resourceVersion}`)
    .toSorted()
  const cached = () =>
    cache
      .list()
      .map(({ metadata }) => `${metadata.uid}@${metadata.resourceVersion}`)
      .toSorted()
  await world.clock.advance(TROUBLE_MS + 180_000) // the longest back-off and the longest silence are over
  const told = [...witness.alive].map(([uid, version]) => `${uid}@${version}`).toSorted()
  stop.abort()
  await world.clock.drive(ended)
  return { stored, cached: cached(), told, complaints: witness.complaints }
}

test(
  'some history of faults leaves the cache different from the server, tells a change twice, or not at all',
  { timeout: 600_000 },
  async () => {
    for (let seed = FROM; seed < FROM + SEEDS; seed++) {
      const { stored, cached, told, complaints } = await history(seed)
      expect({ seed, cached, told, complaints }).toEqual({ seed, cached: stored, told: stored, complaints: [] })
    }
  },
)
