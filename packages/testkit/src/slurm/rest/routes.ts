/**
 * Everything that slurmrestd offers and we simulate: one line per path.
 *
 * @module
 */
import type { RestAnswer } from './answer.ts'
import type { Call } from './call.ts'
import * as cluster from './cluster-routes.ts'
import * as jobs from './job-routes.ts'
import * as nodes from './node-routes.ts'
import * as reservations from './reservation-routes.ts'

/** One path of slurmrestd. */
export interface Route {
  readonly method: string
  readonly plugin: 'slurm' | 'slurmdb' | 'util'
  /** Behind the version, without slashes at its ends; `*` is a name. */
  readonly path: string
  /** The same, cut at its slashes. */
  readonly parts: readonly string[]
  /** The first version that has it. */
  readonly since?: string
  readonly answer: (call: Call) => RestAnswer
}

const route = (request: string, answer: Route['answer'], since?: string, plugin: Route['plugin'] = 'slurm'): Route => {
  const [method = '', path = ''] = request.split(' ')
  return { method, plugin, path, parts: path.split('/'), answer, ...(since !== undefined && { since }) }
}

/** See the module. The first that fits is taken. */
export const routes: readonly Route[] = [
  route('GET ping', cluster.ping),
  route('GET reconfigure', cluster.reconfigure),
  route('GET diag', cluster.statistics),
  route('GET conf', cluster.configuration, 'v0.0.45'),
  route('GET partitions', cluster.listPartitions),
  route('GET partition/*', cluster.getPartition),
  route('GET nodes', nodes.listNodes),
  route('POST nodes', nodes.updateManyNodes),
  route('GET node/*', nodes.getNode),
  route('POST node/*', nodes.updateOneNode),
  route('DELETE node/*', nodes.deleteNodes),
  route('POST new/node', nodes.createNewNodes, 'v0.0.44'),
  route('GET jobs', jobs.listJobs),
  route('DELETE jobs', jobs.cancelJobs),
  route('GET jobs/state', jobs.listJobStates),
  route('POST job/submit', jobs.submit),
  route('GET job/*', jobs.getJob),
  route('POST job/*', jobs.changeJob),
  route('DELETE job/*', jobs.cancelOneJob),
  route('GET job/*/requeue', jobs.requeue, 'v0.0.45'),
  route('GET reservations', reservations.listReservations),
  route('POST reservations', reservations.saveReservations, 'v0.0.43'),
  route('POST reservation', reservations.saveOneReservation, 'v0.0.43'),
  route('GET reservation/*', reservations.getReservation),
  route('DELETE reservation/*', reservations.deleteOneReservation),
  route('GET ping', cluster.pingAccounting, undefined, 'slurmdb'),
  route('GET clusters', cluster.listClusters, undefined, 'slurmdb'),
  route('POST hostnames', cluster.hostnames, 'v0.0.44', 'util'),
  route('POST hostlist', cluster.hostlist, 'v0.0.44', 'util'),
]
