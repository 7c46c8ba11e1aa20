/**
 * `npm start`: a local Kubernetes, the operator on it, a Slurm cluster that the operator keeps alive, and jobs on it.
 *
 * @module
 */
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import type { Kubectl } from '../cluster/kubectl.ts'
import { installOperator } from '../product/install-operator.ts'
import { installSlurm, SLURM_NAMESPACE } from '../product/install-slurm.ts'
import { ensureSshKey } from '../product/ssh-key.ts'
import { runFromLogin, runThroughRest } from '../product/try-jobs.ts'
import { progressTo } from '../progress/progress.ts'
import { ensureLocalCluster, readNodeCount, type LocalCluster } from './local-cluster.ts'
import { runCommand } from './run-command.ts'

await runCommand(async () => {
  const { values } = parseArgs({ options: { nodes: { type: 'string', default: '3' } } })
  const progress = progressTo((line) => console.log(line))
  const cluster = await ensureLocalCluster(readNodeCount(values.nodes), progress)
  await installOperator(cluster, { progress })
  const key = ensureSshKey(dirname(cluster.kubeconfig))
  await installSlurm(cluster, { progress, values: [`loginsets.login.rootSshAuthorizedKeys=${key.publicLine}`] })
  const namespace = SLURM_NAMESPACE
  const login = await progress.step('a job from the login node', 2, () => runFromLogin(cluster.kubectl, namespace, 2))
  const rest = await progress.step('a job through REST', 3, () => runThroughRest({ ...cluster, namespace }))
  console.log(`\n${await summary(cluster, { login, rest, keyFile: key.file })}`)
})

interface Tried {
  readonly login: string
  readonly rest: string
  readonly keyFile: string
}

async function summary({ kubectl, kubeconfig }: LocalCluster, { login, rest, keyFile }: Tried): Promise<string> {
  const resources = await kubectl(['get', 'slurm', '-n', SLURM_NAMESPACE])
  return `The job from the login node said:
${indent(login)}
Through REST, with a token that the operator keeps fresh: ${rest}

What there is:
${indent(resources)}

What runs where:
${indent(await podTable(kubectl))}

What to try next (K is: npm run -s local -- kubectl -n ${SLURM_NAMESPACE}):
  K get slurm                                                            what there is, and what it waits for
  K scale nodeset slurm-worker-cpu --replicas=1                          a busy worker goes only when its job is over
  K delete pod slurm-controller-0                                        slurmctld comes back, jobs go on
  K exec -it deploy/slurm-login-login -- bash                            a shell on the login node: sinfo, srun, sacct
  K port-forward service/slurm-login-login 2222:22                       a way for ssh, in another window; then:
  ssh -p 2222 -i ${keyFile} root@localhost
  export KUBECONFIG=${kubeconfig}
  npm run local -- status                                                nodes, logs, memory
  npm stop                                                               stop and remove all of it
`
}

async function podTable(kubectl: Kubectl): Promise<string> {
  const columns =
    'NAMESPACE:.metadata.namespace,POD:.metadata.name,READY:.status.conditions[?(@.type=="Ready")].status,NODE:.spec.nodeName'
  return kubectl(['get', 'pods', '-A', '-l', 'app.kubernetes.io/name', '-o', `custom-columns=${columns}`])
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '  ')
}
