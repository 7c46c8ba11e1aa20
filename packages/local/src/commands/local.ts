/**
 * `npm run local -- WHAT`: the local cluster by hand.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureArtefact } from '../cache/cache.ts'
import { helm } from '../programs/helm.ts'
import { progressToStderr } from '../progress/progress.ts'
import {
  ensureLocalCluster,
  findLocalCluster,
  readNodeCount,
  stopLocalCluster,
  type LocalCluster,
} from './local-cluster.ts'
import { ensureAllPaths } from './paths.ts'
import { runCommand } from './run-command.ts'
import { describeStatus } from './status.ts'

const usage = `npm run local -- up [--nodes N]     start a cluster (3 nodes), without Slurm
npm run local -- down               stop it and remove all of it
npm run local -- status             what runs, where its logs are, how much memory it takes
npm run local -- kubectl ...        kubectl for it
npm run local -- helm ...           Helm for it (built when first used)
npm run local -- paths [--json]     build or fetch every program and print where it is
`

const progress = progressToStderr()

const commands: Readonly<Record<string, (args: string[]) => Promise<number | void>>> = {
  async up(args) {
    const { values } = parseArgs({ args, options: { nodes: { type: 'string', default: '3' } } })
    const { kubeconfig } = await ensureLocalCluster(readNodeCount(values.nodes), progress)
    console.log(`export KUBECONFIG=${kubeconfig}`)
  },
  down: stopLocalCluster,
  async status() {
    console.log(await describeStatus(await findLocalCluster(progress)))
  },
  async kubectl(args) {
    const { kubectlProgram, kubeconfig } = await runningCluster()
    return runInForeground(kubectlProgram, args, kubeconfig)
  },
  async helm(args) {
    const { kubeconfig } = await runningCluster()
    return runInForeground(join(await ensureArtefact(helm, progress), 'helm'), args, kubeconfig)
  },
  async paths(args) {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
    const paths = await ensureAllPaths(progress)
    if (values.json) console.log(JSON.stringify(paths, undefined, 2))
    else for (const [name, path] of Object.entries(paths)) console.log(`${name.padEnd(22)} ${path}`)
  },
}

await runCommand(async () => {
  const [name = '', ...args] = process.argv.slice(2)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined) return command(args)
  process.stderr.write(name === '' ? usage : `Cannot do "${name}": it is not one of these.\n${usage}`)
  return 2
})

async function runningCluster(): Promise<LocalCluster> {
  const cluster = await findLocalCluster(progress)
  if (cluster === undefined)
    throw new Error('Cannot find a running cluster. Start one with `npm start` or `npm run local -- up`.')
  return cluster
}

function runInForeground(program: string, args: readonly string[], kubeconfig: string): number {
  const { status, signal } = spawnSync(program, args, {
    stdio: 'inherit',
    env: { ...process.env, KUBECONFIG: kubeconfig },
  })
  return status ?? (signal === 'SIGINT' ? 130 : 1)
}
