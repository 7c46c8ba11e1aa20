/**
 * One pass over one NodeSet: observe, plan, act, report. Whatever must survive until the next pass is in the API objects.
 *
 * @module
 */
import { nodeSetResource, type NodeSet } from '@slurm-operator/api'
import {
  mergeOutcomes,
  outcomeOfStatus,
  settled,
  StatusWriter,
  type Outcome,
  type Reconcile,
} from '@slurm-operator/runtime'
import { takeOverFields } from '../component/take-over-fields.ts'
import { FIELD_MANAGER, type Kept } from '../world/trim.ts'
import type { World } from '../world/world.ts'
import { act } from './act.ts'
import type { Acting } from './acting.ts'
import { breathe } from './breathe.ts'
import { decide } from './decide.ts'
import { FailureMemory } from './failure-memory.ts'
import { observe } from './observe.ts'
import { outcomeOf } from './outcome-of.ts'
import type { Picture } from './picture.ts'
import { OrderPace } from './order-pace.ts'
import { reportNodeSet } from './report.ts'
import type { Plan } from './steps.ts'

/** How long the view hurries after a pass that waits for Slurm: until the next pass says so again. */
const HURRY_MS = 15_000

/** The pass function of the NodeSet loop. */
export function createNodeSetPass(world: World): Reconcile {
  const failures = new FailureMemory(world.clock.now)
  const pace = new OrderPace(world.clock.now)
  const record = world.eventsAs('nodeset-controller')
  const writer = createStatusWriter(world)
  return async (key, pass) => {
    const look = async () => {
      const observed = await observe(key, world, failures, { signal: pass.signal })
      if (observed !== 'gone') await breathe(world, observed)
      return observed
    }
    const decided = await decide(look)
    if (decided === 'gone') return settled
    const { observed, plan } = decided
    if (plan.hurrySlurm) observed.connection?.view.hurry('nodes', HURRY_MS, waitedFor(observed.picture, plan))
    await breathe(world, observed)
    const acting: Acting = { observed, world, failures, pace, record, log: pass.log, signal: pass.signal }
    const results = await act(plan, acting)
    const told = await reportNodeSet({ acting, plan, results, writer }) // also when steps failed: status must not go stale
    const taken = await takeOverShared(acting)
    return mergeOutcomes(outcomeOf(plan, results), outcomeOfStatus(told), taken)
  }
}

/** What another operator of this API has set in the objects besides the workers is ours from now on. */
function takeOverShared({ observed, world, signal }: Acting): Promise<Outcome> {
  const steps = [...observed.shared.steps.values()].filter(({ do: what }) => what !== 'delete')
  const named = steps.map(({ resource, key }) => ({ kind: resource.kind, metadata: key }))
  return takeOverFields(named, { client: world.client, kinds: world.workerChildKinds, signal })
}

/** The Slurm nodes that somebody waits for: where lists take long, they are looked at one by one. */
function waitedFor({ workers }: Picture, { waits }: Plan): string[] {
  const waiting = new Set(waits.map(({ worker }) => worker))
  return workers
    .filter(({ pod, slurmNode, terminating }) => waiting.has(pod) || (slurmNode.kind === 'absent' && !terminating))
    .map(({ slurmName }) => slurmName)
}

function createStatusWriter({ client, caches, clock }: World): StatusWriter<Kept<NodeSet>> {
  const { status } = client.resource(nodeSetResource)
  const store = {
    patch: async (...call: Parameters<typeof status.patch>) => {
      const answer = await status.patch(...call)
      caches.nodeSets.wrote(answer)
      return caches.nodeSets.get(answer.metadata) ?? answer
    },
  }
  return new StatusWriter<Kept<NodeSet>>({ store, clock, fieldManager: FIELD_MANAGER })
}
