/**
 * Runs our operator, from source, on all recorded inputs, and writes down what it makes of them. For tests.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startApiServer } from '@slurm-operator/local'
import { compatFile } from './recordings.ts'

/** An API server of its own on which cases are recorded. */
export interface Recorder extends AsyncDisposable {
  /** One folder for each case that was recorded. */
  readonly folder: string
  /** Record these cases, or all, with a fresh operator. */
  record(cases?: readonly string[]): Promise<void>
}

const controllers = [
  ...['garbage-collector', 'statefulset', 'deployment', 'replicaset', 'disruption', 'namespace', 'serviceaccount'],
  'persistentvolumeclaim-protection',
]
const loops = ['controller', 'accounting', 'restapi', 'loginset', 'token', 'nodeset', 'slurmclient']

/** Cases at once: more would wait for the two cores that a small machine has. */
const AT_ONCE = 14
/** How long nothing must change before the state counts: ours needs no long passes. */
const QUIET_SECONDS = 4
const LONGEST_MS = 14 * 60_000

/** Start the API server. */
export async function startRecorder(): Promise<Recorder> {
  const folder = mkdtempSync(join(tmpdir(), 'slurm-operator-compat-'))
  const server = await startApiServer({ controllers: controllers.map((name) => `${name}-controller`) })
  return {
    folder,
    record: async (cases = []) => {
      const only = cases.length === 0 ? '' : `^(${cases.join('|')})$`
      const flags = recorderFlags(server.kubeconfig, folder)
      const { code, output } = await run([compatFile('record.mjs'), ...flags, '--only', only])
      if (code !== 0) throw new Error(`Cannot record the cases: the recorder ended with ${code}.\n${output}`)
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function recorderFlags(kubeconfig: string, folder: string): string[] {
  const crds = fileURLToPath(new URL('../../../api/crds', import.meta.url))
  return [
    ...['--kubeconfig', kubeconfig, '--operator', operatorCommand(), '--cases', compatFile('cases'), '--crds', crds],
    ...['--out', folder, '--name', 'actual', '--log', join(folder, 'operator.log')],
    ...['--parallel', String(AT_ONCE), '--quiet', String(QUIET_SECONDS)],
  ]
}

function operatorCommand(): string {
  const manager = fileURLToPath(new URL('../programs/manager.ts', import.meta.url))
  const flags = ['--metrics-addr=0', '--health-addr=127.0.0.1:0', ...loops.map((loop) => `--${loop}-workers=4`)]
  return [process.execPath, manager, ...flags].map((word) => `'${word}'`).join(' ')
}

/** Run a program of the recordings to its end. */
export function run(command: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], timeout: LONGEST_MS })
  const parts: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output: Buffer.concat(parts).toString('utf8') }))
  })
}
