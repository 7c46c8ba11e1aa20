/**
 * `npm start`: a local Kubernetes with a Slurm cluster on it, and a job that ran there.
 *
 * @module
 */
import { parseArgs } from 'node:util'
import { execIn, type Kubectl } from '../cluster/kubectl.ts'
import { applyPlainSlurm, SLURM_NAMESPACE, slurmctldPod } from '../plain-slurm/apply-plain-slurm.ts'
import { progressTo } from '../progress/progress.ts'
import { ensureLocalCluster, readNodeCount, type LocalCluster } from './local-cluster.ts'
import { runCommand } from './run-command.ts'

const JOB = [
  'srun',
  '--nodes=2',
  '--job-name=hello',
  'sh',
  '-c',
  'echo "hello from $SLURMD_NODENAME, job $SLURM_JOB_ID"',
]

await runCommand(async () => {
  const { values } = parseArgs({ options: { nodes: { type: 'string', default: '3' } } })
  const progress = progressTo((line) => console.log(line))
  const cluster = await ensureLocalCluster(readNodeCount(values.nodes), progress)
  await progress.step('Slurm', 20, () => applyPlainSlurm(cluster.kubectl, progress))
  const output = await progress.step('a job on two workers', 1, () =>
    execIn(cluster.kubectl, slurmctldPod, JOB, { timeoutMs: 120_000 }),
  )
  console.log(`\n${await summary(cluster, output)}`)
})

async function summary({ kubectl, kubeconfig }: LocalCluster, output: string): Promise<string> {
  return `The job said:
${indent(output)}
What runs where:
${indent(await podTable(kubectl))}
What to type next:
  npm run local -- kubectl get pods -A                                  any kubectl command
  npm run local -- kubectl exec -n ${SLURM_NAMESPACE} ${slurmctldPod.pod} -- sinfo     any Slurm command
  export KUBECONFIG=${kubeconfig}
  npm run local -- status                                               nodes, logs, memory
  npm stop                                                              stop and remove all of it
`
}

async function podTable(kubectl: Kubectl): Promise<string> {
  const columns =
    'POD:.metadata.name,READY:.status.conditions[?(@.type=="Ready")].status,NODE:.spec.nodeName,ADDRESS:.status.podIP'
  return kubectl(['get', 'pods', '-n', SLURM_NAMESPACE, '-o', `custom-columns=${columns}`])
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '  ')
}
