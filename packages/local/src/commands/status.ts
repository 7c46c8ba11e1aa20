import { isAlive } from '../machine/process-id.ts'
import { listRecords, type RunRecord } from '../runs/run-record.ts'
import type { LocalCluster } from './local-cluster.ts'

/** What runs on this machine because of us. */
export async function describeStatus(cluster: LocalCluster | undefined): Promise<string> {
  const runs = listRecords()
  if (runs.length === 0) return 'Nothing is running. `npm start` starts a cluster with Slurm on it.'
  const nodes = cluster === undefined ? [] : ['', await cluster.kubectl(['get', 'nodes', '-o', 'wide'])]
  return [...runs.map(describeRun), ...nodes].join('\n').trimEnd()
}

function describeRun({ id, lifetime, starter, daemons, folder, facts }: RunRecord): string {
  const until = lifetime === 'detached' ? 'until it is stopped' : `as long as process ${starter.pid}`
  const lost = daemons.filter((daemon) => !isAlive(daemon.id)).map(({ name }) => name)
  return [
    `${id}: runs ${until}${facts['url'] === undefined ? '' : `, API at ${facts['url']}`}`,
    `  logs        ${folder}`,
    ...(facts['kubeconfig'] === undefined ? [] : [`  kubeconfig  ${facts['kubeconfig']}`]),
    ...(lost.length === 0 ? [] : [`  ended       ${lost.join(', ')} (it will not work; stop it and start again)`]),
  ].join('\n')
}
