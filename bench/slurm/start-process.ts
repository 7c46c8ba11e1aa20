import { startWorker, type Worker } from '../kube/serve.ts'
import type { ClientAnswers, ClientOrder, ServerAnswers, ServerOrder } from './orders.ts'

/** The process of the simulated Slurm. */
export function startServer(signal: AbortSignal): Worker<ServerOrder, ServerAnswers> {
  return startWorker('../slurm/server-process.ts', [], signal)
}

/** The process of a client: ours, or the plain one, which cannot watch. */
export function startClient(
  program: 'client-process.ts' | 'plain-process.ts',
  { url, token }: Pick<ServerAnswers['start'], 'url' | 'token'>,
  signal: AbortSignal,
): Worker<ClientOrder, ClientAnswers> {
  return startWorker(`../slurm/${program}`, [url, token], signal)
}
