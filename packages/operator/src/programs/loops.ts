/**
 * All loops of the manager: one line each.
 *
 * @module
 */
import { ports } from '@slurm-operator/api'
import type { KubeObject } from '@slurm-operator/kube'
import type { Loop, LoopSource, Metrics } from '@slurm-operator/runtime'
import { accountingRoom } from '../accounting/room.ts'
import { accountingSources } from '../accounting/watch.ts'
import { clusterRoom } from '../cluster/room.ts'
import { clusterSources } from '../cluster/watch.ts'
import type { ComponentRoom } from '../component/room.ts'
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
import type { Specified } from '../world/trim.ts'
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
  const component = <T extends KubeObject & Specified, Facts, Full extends T>(
    room: ComponentRoom<T, Facts, Full>,
    sources: readonly LoopSource[],
    count: number,
  ) => measured(room.name, count, (settings) => createComponentLoop(world, room, sources, settings))
  const connection = { reconcile: createConnectionPass(world, developmentServer()), sources: connectionSources(world) }
  const nodeSets = { reconcile: createNodeSetPass(world), sources: nodeSetSources(world) }
  return [
    component(controllerRoom, controllerSources(world), workers.controller),
    component(accountingRoom, accountingSources(world), workers.accounting),
    component(restApiRoom, restApiSources(world), workers.restapi),
    component(loginSetRoom, loginSetSources(world), workers.loginset),
    component(tokenRoom, tokenSources(world), workers.token),
    component(clusterRoom, clusterSources(world), workers.slurmclient),
    measured('nodeset', workers.nodeset, (settings) => createLoop(world, 'nodeset', nodeSets, settings)),
    measured('slurmclient', workers.slurmclient, (settings) => createLoop(world, 'slurmclient', connection, settings)),
  ]
}

/** With DEBUG=1 slurmrestd is taken from localhost, for those who forward its port. */
function developmentServer(): string | undefined {
  return process.env['DEBUG'] === '1' ? `http://localhost:${ports.slurmrestd}` : undefined
}
