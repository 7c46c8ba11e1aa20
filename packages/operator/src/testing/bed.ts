/**
 * Where tests on a real API server begin: a server of their own that knows our kinds, a client for the test itself, and
 * operators that end with it.
 *
 * @module
 */
import type { Client } from '@slurm-operator/kube'
import { startApiServer, type ApiServer, type ApiServerOptions } from '@slurm-operator/local'
import { createMetrics, type Loop } from '@slurm-operator/runtime'
import { createLoops } from '../programs/loops.ts'
import type { World } from '../world/world.ts'
import { installKinds, runOperator, testClient, type OperatorParts, type RunningOperator } from './gen.ts'

/** See the module. */
export interface Bed extends AsyncDisposable {
  readonly server: ApiServer
  readonly client: Client
  /** Run these loops, until they are stopped or the bed is gone. */
  readonly run: (createLoops: (world: World) => readonly Loop[], parts?: OperatorParts) => Promise<RunningOperator>
}

/** Start the server. */
export async function startBed(options: ApiServerOptions = {}): Promise<Bed> {
  await using cleanup = new AsyncDisposableStack()
  const server = cleanup.use(await startApiServer(options))
  const client = await testClient(server.kubeconfig)
  cleanup.defer(async () => client.close())
  await installKinds(client)
  const kept = cleanup.move()
  return {
    server,
    client,
    run: async (loops, parts) => kept.use(await runOperator(server.kubeconfig, loops, parts)),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** One pass of each loop at a time. */
export const workers = { controller: 1, accounting: 1, restapi: 1, loginset: 1, token: 1, nodeset: 1, slurmclient: 1 }

/** All loops of the manager. */
export function allLoops(world: World): readonly Loop[] {
  return createLoops(world, workers, createMetrics())
}
