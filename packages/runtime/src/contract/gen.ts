/**
 * One suite, two servers: whatever a suite of this room says must hold on the simulated server and on the real one. What
 * the simulated one cannot do is skipped there by the name of its row in the table of limits.
 *
 * @module
 */
import { createNodeTransport, loadSettings, sleep, systemClock } from '@slurm-operator/kube'
import { startApiServer, type ApiServer } from '@slurm-operator/local'
import { limits, startSimulated, type ServerUnderTest as AnyServer } from '@slurm-operator/testkit'
import { afterAll, beforeAll } from 'vitest'

/** A server that a suite is run against. */
export interface ServerUnderTest extends AnyServer {
  /** Why this server cannot do something; undefined: it can. */
  readonly whyNot: (what: string) => string | undefined
}

/** Suites are registered before the server runs, so they get a way to it. */
export type GetServer = () => ServerUnderTest

/** The simulated server, for the tests of a file. */
export function useSimulatedServer(): GetServer {
  let server: ServerUnderTest | undefined
  beforeAll(async () => {
    server = { ...(await startSimulated()), whyNot: whyNotSimulated }
  })
  return () => running(server)
}

/** A limit that is not in the table is a mistake of the suite. */
function whyNotSimulated(what: string): string {
  const limit = limits.find((one) => one.what === what)
  if (limit === undefined)
    throw new Error(`Cannot skip: the table of limits has no row “${what}”. Add it, with a reason.`)
  return `the simulated server has a limit: ${limit.what}; ${limit.because}`
}

/** A real server, for the tests of a file. */
export function useRealServer(): GetServer {
  let api: ApiServer | undefined
  let server: ServerUnderTest | undefined
  beforeAll(async () => {
    api = await startApiServer()
    server = await connect(api)
  })
  afterAll(async () => {
    server?.transport.close()
    await api?.stop()
  })
  return () => running(server)
}

async function connect(api: ApiServer): Promise<ServerUnderTest> {
  const compact = async () => {
    await api.compact()
    await api.restart() // else its memory would still know
  }
  const transport = createNodeTransport(await loadSettings({ kubeconfig: api.kubeconfig }))
  return { transport, clock: systemClock, wait: (promise) => promise, compact, whyNot: () => undefined }
}

function running(server: ServerUnderTest | undefined): ServerUnderTest {
  if (server === undefined) throw new Error('Cannot use the server: it runs only while tests do.')
  return server
}

const LOOK_EVERY_MS = 20

/** Let time pass. */
export function pass({ clock, wait }: ServerUnderTest, ms: number): Promise<void> {
  return wait(sleep(clock, ms))
}

/** Let time pass until something is true. */
export async function eventually(
  server: ServerUnderTest,
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  const endMs = server.clock.monotonic() + withinMs
  while (!(await isTrue())) {
    if (server.clock.monotonic() > endMs) throw new Error(`Waited in vain for ${what}, for ${withinMs / 1000} s.`)
    await pass(server, LOOK_EVERY_MS)
  }
}
