import {
  createNodeTransport,
  loadSettings,
  systemClock,
  type Client,
  type Clock,
  type Random,
} from '@slurm-operator/kube'
import { joinElection } from '../election/join-election.ts'
import { createLogger, type Logger } from '../logging/logger.ts'
import { Manager, type ManagerOptions } from './manager.ts'
import { runProgram } from './run-program.ts'

/** What a simple operator gets. */
export interface OperatorTools {
  /** It refuses to write unless this process leads. */
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

/** Who it is: the name of its Lease, in this namespace. */
export interface OperatorName {
  readonly name: string
  readonly namespace: string
}

/**
 * A whole program with the usual settings: it connects as kubectl would, waits for the Lease of its name, runs what
 * `build` returns and ends as programs end. One that needs more puts the same parts together by itself.
 */
export async function runOperator(
  { name, namespace }: OperatorName,
  build: (tools: OperatorTools) => Pick<ManagerOptions, 'servers' | 'caches' | 'loops'>,
): Promise<void> {
  await runProgram(async ({ asked, useLogger }) => {
    const [clock, random] = [systemClock, Math.random]
    const log = createLogger({ clock })
    useLogger(log)
    const transport = createNodeTransport(await loadSettings(), { userAgent: name })
    const contender = joinElection({ transport, lease: { namespace, name }, clock, random, log })
    const { client, gate: _gate, ...election } = contender
    try {
      return await new Manager({ clock, log, ...election, ...build({ client, clock, random, log }) }).run(asked)
    } finally {
      transport.close()
    }
  })
}
