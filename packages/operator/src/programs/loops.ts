/**
 * All loops of the manager: one line each.
 *
 * @module
 */
import { ports } from '@slurm-operator/api'
import type { Loop, Metrics } from '@slurm-operator/runtime'
import { accountingRoom } from '../accounting/room.ts'
import { accountingSources } from '../accounting/watch.ts'
import { clusterRoom } from '../cluster/room.ts'
import { clusterSources } from '../cluster/watch.ts'
import { createConnectionPass } from '../connections/reconcile-connection.ts'
import { connectionSources } from '../connections/watch.ts'
import { controllerRoom } from '../controller/room.ts'
import { controllerSources } from '../controller/watch.ts'
import { loginSetRoom } from '../loginset/room.ts'
import { loginSetSources } from '../loginset/watch.ts'
import { createNodeSetPass } from '../nodeset/reconcile.ts'
import { nodeSetSources } from '../nodeset/watch.ts'
import { restApiRoom } from '../restapi/room.ts'
import { restApiSources } from '../restapi/watch.ts'
import { tokenRoom } from '../token/room.ts'
import { tokenSources } from '../token/watch.ts'
import type { World } from '../world/world.ts'
import { createComponentLoop, createLoop, type LoopSettings } from './create-loop.ts'

/** The loops by name; the flag is `--<name>-workers`. */
type LoopName = 'controller' | 'accounting' | 'restapi' | 'loginset' | 'token' | 'nodeset' | 'slurmclient'

/** How many passes of each loop run at the same time. */
export type Workers = Readonly<Record<LoopName, number>>

/** Make the loops. */
export function createLoops(world: World, workers: Workers, metrics: Pick<Metrics, 'forLoop'>): Loop[] {
  const measured = (name: string, count: number, make: (settings: LoopSettings) => Loop): Loop => {
    const { observer, queueObserver, watch } = metrics.forLoop(name)
    const loop = make({ workers: count, observer, queueObserver })
    watch(loop)
    return loop
  }
  const connection = { reconcile: createConnectionPass(world, developmentServer()), sources: connectionSources(world) }
  const nodeSets = { reconcile: createNodeSetPass(world), sources: nodeSetSources(world) }
  return [
    measured('controller', workers.controller, (settings) =>
      createComponentLoop(world, controllerRoom, controllerSources(world), settings),
    ),
    measured('accounting', workers.accounting, (settings) =>
      createComponentLoop(world, accountingRoom, accountingSources(world), settings),
    ),
    measured('restapi', workers.restapi, (settings) =>
      createComponentLoop(world, restApiRoom, restApiSources(world), settings),
    ),
    measured('loginset', workers.loginset, (settings) =>
      createComponentLoop(world, loginSetRoom, loginSetSources(world), settings),
    ),
    measured('token', workers.token, (settings) =>
      createComponentLoop(world, tokenRoom, tokenSources(world), settings),
    ),
    measured('cluster', workers.slurmclient, (settings) =>
      createComponentLoop(world, clusterRoom, clusterSources(world), settings),
    ),
    measured('nodeset', workers.nodeset, (settings) => createLoop(world, 'nodeset', nodeSets, settings)),
    measured('slurmclient', workers.slurmclient, (settings) => createLoop(world, 'slurmclient', connection, settings)),
  ]
}

/** With DEBUG=1 slurmrestd is taken from localhost, for those who forward its port. */
function developmentServer(): string | undefined {
  return process.env['DEBUG'] === '1' ? `http://localhost:${ports.slurmrestd}` : undefined
}
