/**
 * One pass over an object of a component kind: observe, build, apply, act, report. Whatever must survive until the next
 * pass is in the API objects, not here.
 *
 * @module
 */
import type { OurKind } from '@slurm-operator/api'
import type { KubeObject } from '@slurm-operator/kube'
import {
  ensureChildren,
  mergeOutcomes,
  outcomeOfChildren,
  settled,
  StatusWriter,
  type ChildResult,
  type Outcome,
  type Pass,
  type Reconcile,
} from '@slurm-operator/runtime'
import { keysOfKind } from '../world/child-kinds.ts'
import { FIELD_MANAGER, type Kept, type Specified } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import { reasons, stateOf } from '../reasons/reasons.ts'
import { adaptToLive } from './adapt-to-live.ts'
import { readSpec } from './read-spec.ts'
import { report, type Reporter } from './report.ts'
import { takeOverFields } from './take-over-fields.ts'
import type { Acted, ComponentRoom, Obstacle, RoomPass, Wish } from './room.ts'

/** The pass function of a room. */
export function createComponentPass<T extends KubeObject & Specified, Facts, Full extends T>(
  room: ComponentRoom<T, Facts, Full>,
  world: World,
): Reconcile {
  const cache = room.cache(world)
  const reporter: Reporter<T> = {
    writer: new StatusWriter<Kept<T>>({
      store: statusStore(room, world),
      clock: world.clock,
      fieldManager: FIELD_MANAGER,
    }),
    record: world.eventsAs(`${room.name}-controller`),
  }
  return async (key, pass) => {
    const stored = cache.get(key)
    if (stored === undefined || stored.metadata.deletionTimestamp !== undefined) return settled
    const { object: sound, obstacles } = readSpec(room.resource.kind as OurKind, stored)
    const nothing = { stored, obstacles, results: [], judgement: undefined, at: { pass } }
    if (obstacles.length > 0) return report(reporter, nothing)
    const object = room.withDefaults(sound)
    try {
      return await onePass(room, { object, world, pass, nowMs: world.clock.now() }, { reporter, stored })
    } catch (error) {
      const because = error instanceof Error ? error.message : String(error)
      await report(reporter, { ...nothing, judgement: { state: stateOf('PassFailed', because) } })
      throw error // the queue tries again, later each time
    }
  }
}

/** The status subresource; its answers go into the cache. */
function statusStore<T extends KubeObject & Specified>(
  room: Pick<ComponentRoom<T, unknown>, 'resource' | 'cache'>,
  world: World,
) {
  const { status } = world.client.resource(room.resource)
  const cache = room.cache(world)
  return {
    patch: async (...call: Parameters<typeof status.patch>) => {
      const answer = await status.patch(...call)
      cache.wrote(answer)
      return cache.get(answer.metadata) ?? answer
    },
  }
}

async function onePass<T extends KubeObject & Specified, Facts, Full extends T>(
  room: ComponentRoom<T, Facts, Full>,
  at: RoomPass<Full>,
  { reporter, stored }: { readonly reporter: Reporter<T>; readonly stored: Kept<T> },
): Promise<Outcome> {
  const facts = await room.observe(at)
  const wish = room.build(at.object, facts)
  const results = await ensure(wish, at)
  const { client, childKinds: kinds } = at.world
  const taken = await takeOverFields(wish.children, { client, kinds, signal: at.pass.signal })
  const acted = readActed(await room.act?.(at, facts))
  const judged = room.judge(at, facts)
  const judgement = { ...judged, conditions: [...(judged.conditions ?? []), ...acted.conditions] }
  const told = await report(reporter, { stored, obstacles: wish.obstacles, results, judgement, at })
  return mergeOutcomes(outcomeOfChildren(results), outcomeOfObstacles(wish.obstacles), taken, acted.outcome, told)
}

function readActed(acted: Outcome | Acted = settled): Acted {
  return 'outcome' in acted ? acted : { outcome: acted, conditions: [] }
}

async function ensure<T extends KubeObject>({ children, obstacles }: Wish, at: RoomPass<T>) {
  const { object: owner, world, pass } = at
  await loadContents(children, at)
  const wanted = children.map((child) => adaptToLive(child, world))
  const isComplete = obstacles.length === 0
  const kinds = world.childKinds.map((kind) => (isComplete ? kind : { ...kind, surplus: 'keep' as const }))
  const common = { owner, kinds, fieldManager: FIELD_MANAGER, knownNoOps: world.knownNoOps, signal: pass.signal }
  const results = await ensureChildren(wanted, common)
  logResults(results, pass)
  return results
}

async function loadContents<T extends KubeObject>(children: readonly KubeObject[], at: RoomPass<T>): Promise<void> {
  const { object, world, pass } = at
  const { uid } = object.metadata
  await world.secrets.load(uid, keysOfKind(children, 'Secret'), { signal: pass.signal })
  await world.configMaps.load(uid, keysOfKind(children, 'ConfigMap'), { signal: pass.signal })
}

function logResults(results: readonly ChildResult[], { log }: Pass): void {
  for (const { kind, step } of results) {
    if (kind === 'idle' || kind === 'waiting') continue
    log.info(`${step.do} ${step.resource.kind} ${step.key.name}: ${kind}`, { because: step.because })
  }
}

/** What a person must change first, or what only needs time: in both cases a change wakes us. */
function outcomeOfObstacles(obstacles: readonly Obstacle[]): Outcome {
  const [first] = obstacles
  if (first === undefined || reasons[first.reason].kind !== 'stalled') return settled
  return { kind: 'stalled', reason: first.reason, because: obstacles.map(({ because }) => because).join(' ') }
}
