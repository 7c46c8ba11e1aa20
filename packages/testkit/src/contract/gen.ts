/** Servers for the tests of this room. */
import { createNodeTransport, loadSettings, systemClock, type Transport } from '@slurm-operator/kube'
import { startApiServer, type ApiServer } from '@slurm-operator/local'
import { afterAll, beforeAll } from 'vitest'
import { useBench } from './bench.ts'
import type { GetServer, ServerUnderTest } from './server-under-test.ts'
import { startSimulated } from './simulated.ts'

/** A real server for the tests of a file. */
export function useRealServer(): GetServer {
  let api: ApiServer | undefined
  let server: ServerUnderTest | undefined
  beforeAll(async () => {
    const started = (api = await startApiServer())
    const transport = createNodeTransport(await loadSettings({ kubeconfig: started.kubeconfig }))
    const compact = async () => {
      await started.compact()
      await started.restart() // its own memory of changes would answer otherwise
    }
    server = { transport, clock: systemClock, wait: (promise) => promise, compact }
  })
  afterAll(async () => {
    server?.transport.close()
    await api?.stop()
  })
  return () => {
    if (server === undefined) throw new Error('Cannot use the server: it runs only while tests do.')
    return server
  }
}

/** A real and a simulated server side by side: the one is the oracle for the other. */
export interface BothServers {
  readonly real: () => Transport
  readonly simulated: () => Transport
}

/** Start both for the tests of a file, each with a namespace and widgets. */
export function useBothServers(namespace: string): BothServers {
  const real = useRealServer()
  let simulated: ServerUnderTest
  beforeAll(async () => {
    simulated = await startSimulated()
  })
  useBench(real, namespace)
  useBench(() => simulated, namespace)
  return { real: () => real().transport, simulated: () => simulated.transport }
}
