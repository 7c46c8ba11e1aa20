/**
 * All loops of the manager: one line each.
 *
 * @module
 */
import { ports } from '@slurm-operator/api'
import type { KubeObject } from '@slurm-operator/kube'
import { Loop, type LoopSource, type Metrics, type Reconcile } from '@slurm-operator/runtime'
import { accountingRoom } from '../accounting/room.ts'
import { accountingSources } from '../accounting/watch.ts'
import { createComponentPass } from '../component/reconcile-component.ts'
import type { ComponentRoom } from '../component/room.ts'
import { clusterRoom } from '../cluster/room.ts'
import { clusterSources } from '../cluster/watch.ts'
import { createConnectionPass } from '../connections/reconcile-connection.ts'
import { connectionSources } from '../connections/watch.ts'
import { controllerRoom } from '../controller/room.ts'
import { controllerSources } from '../controller/watch.ts'
import { loginSetRoom } from '../loginset/room.ts'
import { loginSetSources } from '../loginset/watch.ts'
import { restApiRoom } from '../restapi/room.ts'
import { restApiSources } from '../restapi/watch.ts'
import { tokenRoom } from '../token/room.ts'
import { tokenSources } from '../token/watch.ts'
import type { Specified } from '../world/trim.ts'
import type { World } from '../world/world.ts'

/** With DEBUG=1 slurmrestd is taken from localhost, for those who forward its port. */
function developmentServer(): string | undefined {
  return process.env['DEBUG'] === '1' ? `http://localhost:${ports.slurmrestd}` : undefined
}

/** How many passes of each loop run at the same time. */
export type Workers = Readonly<Record<LoopName, number>>

/** The loops by name; the flag is `--<name>-workers`. */
export type LoopName =
  | 'controller'
  | 'accounting'
  | 'restapi'
  | 'loginset'
  | 'token'
  | 'nodeset'
  | 'cluster'
  | 'slurmclient'

/** Make the loops. */
export function createLoops(world: World, workers: Workers, metrics: Pick<Metrics, 'forLoop'>): Loop[] {
  const loop = (name: LoopName, reconcile: Reconcile, sources: readonly LoopSource[]) => {
    const measured = metrics.forLoop(name)
    const { clock, random, log } = world
    const observers = { observer: measured.observer, queueObserver: measured.queueObserver }
    const made = new Loop({ name, reconcile, sources, clock, random, log, workers: workers[name], ...observers })
    measured.watch(made)
    return made
  }
  const component = <T extends KubeObject & Specified, Facts, Full extends T>(
    name: LoopName,
    room: ComponentRoom<T, Facts, Full>,
    sources: readonly LoopSource[],
  ) => loop(name, createComponentPass(room, world), sources)
  return [
    component('controller', controllerRoom, controllerSources(world)),
    component('accounting', accountingRoom, accountingSources(world)),
    component('restapi', restApiRoom, restApiSources(world)),
    component('loginset', loginSetRoom, loginSetSources(world)),
    component('token', tokenRoom, tokenSources(world)),
    component('cluster', clusterRoom, clusterSources(world)),
    loop('slurmclient', createConnectionPass(world, developmentServer()), connectionSources(world)),
  ]
}
