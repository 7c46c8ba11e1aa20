import { podResource } from '@slurm-operator/kube'
import { NAMESPACE } from './objects.ts'
import type { Witness } from './witness.ts'
import { podInPath } from './worker-pods.ts'

/** An order of an administrator that crosses a deletion on its way is not our fault. */
const CROSSING_MS = 1_000
/** How old the list of jobs may be on which a deletion rests, and how long it may have been on its way. */
const LISTED_WITHIN_MS = 90_000

/** No job is ended by us: neither by the deletion of a pod with a job in it, nor by an order to Slurm. */
export function promiseJobs({ cluster, orders, accuse }: Witness) {
  const { server, machines, slurm } = cluster
  /** By the uids of the pods. */
  const sentAway = new Map<string, { readonly atMs: number; readonly jobs: readonly number[] }>()
  let seen = 0
  let last = { atMs: -Infinity, tookMs: 0 }
  /** A deletion rests on Slurm's last word, which is as old as it was on its way. */
  const crossingMs = (): number => {
    const sinceMs = cluster.world.clock.monotonic() - last.atMs
    return CROSSING_MS + (sinceMs < CROSSING_MS ? last.tookMs : 0)
  }
  const isCrossing = (slurmNode: string): boolean => orders.isWithin(slurmNode, crossingMs())
  /** Slurm calls the node of a suspended job idle, and has sent lists of jobs that were without it: nothing tells of it. */
  const isDenied = (job: number): boolean => {
    const sinceMs = cluster.world.clock.now() - LISTED_WITHIN_MS
    const lists = slurm.requests.filter(({ atMs, line }) => atMs >= sinceMs && line === 'GET /jobs/')
    const isShortened = lists.some(({ fault }) => fault === 'partial-list' || fault === 'empty-list')
    return isShortened && slurm.truth.job(job)?.state === 'SUSPENDED'
  }
  /** Nobody gave the node back meanwhile, so we sent a pod away that could still get jobs. */
  const beganTooLate = ({ pod = '', id, node, atMs }: (typeof machines.lostJobs)[number]): boolean => {
    const sent = sentAway.get(pod)
    if (sent === undefined || atMs <= sent.atMs || sent.jobs.includes(id)) return false
    return !orders.isWithin(node, cluster.world.clock.now() - sent.atMs + CROSSING_MS)
  }
  cluster.listen({
    answered: (answer) => (last = answer),
    before: ({ method, path }) => {
      const name = method === 'DELETE' ? podInPath(path) : undefined
      const pod = name === undefined ? undefined : server.find(podResource, { namespace: NAMESPACE, name })
      if (pod === undefined) return undefined
      const { uid } = pod.metadata
      const all = machines.jobsIn(uid)
      const jobs = isCrossing(pod.spec?.hostname ?? '') ? [] : all.filter((job) => !isDenied(job))
      return (status) => {
        if (status >= 300) return
        sentAway.set(uid, { atMs: cluster.world.clock.now(), jobs: all })
        cluster.tell(`the operator deletes pod ${name ?? ''}`)
        if (jobs.length > 0)
          accuse(`pod ${name ?? ''} was deleted by the operator while job ${jobs.join(', ')} ran in it`)
      }
    },
  })
  slurm.onChange((kind, name) => {
    if (kind !== 'nodes' || slurm.truth.node(name) !== undefined || machines.actingFor() !== undefined) return
    const there = slurm.truth.jobs().filter(({ state, nodes }) => state === 'SUSPENDED' && nodes.includes(name))
    for (const { id } of isCrossing(name) ? [] : there.filter((job) => !isDenied(job.id)))
      accuse(`the record of ${name} was deleted, and with it the node of job ${id}, which is suspended`)
  })
  return {
    look: () => {
      for (const lost of machines.lostJobs.slice(seen)) {
        const { pod, id, node, because } = lost
        if (pod === undefined) accuse(`job ${id} on ${node} was ended: ${because}`)
        if (beganTooLate(lost)) accuse(`job ${id} on ${node} began in a pod that the operator had sent away`)
      }
      seen = machines.lostJobs.length
    },
  }
}
