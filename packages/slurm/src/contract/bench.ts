/**
 * The tools of the suites: waiting, measuring, and the questions that all of them ask.
 *
 * @module
 */
import type { JobSubmission } from '../client/job-operations.ts'
import type { SlurmClient } from '../client/slurm-client.ts'
import type { Knowledge } from '../knowledge.ts'
import type { SlurmNode } from '../model/node.ts'
import type { TokenSettings } from '../registry/settings.ts'
import { Secret } from '../tokens/secret.ts'
import type { SlurmView } from '../view/slurm-view.ts'
import type { GetSlurm } from './slurm-under-test.ts'

const PATIENCE_MS = 60_000
const EVERY_MS = 20

/** What took how long, for people. */
export const measured: string[] = []

/** What a suite works with. */
export interface Bench {
  /** Give orders; each is waited for in the right kind of time. */
  readonly client: () => SlurmClient
  readonly view: () => SlurmView
  readonly known: (name: string) => Knowledge<SlurmNode>
  /** Wait until something holds, and note how long it took. */
  readonly soon: (what: string, holds: () => boolean | Promise<boolean>) => Promise<void>
  /** A job that sleeps for ten minutes, and is running when this returns. */
  readonly runningJob: (changes?: Partial<JobSubmission>) => Promise<number>
  readonly jobStates: (id: number) => Promise<readonly string[]>
  readonly signing: (changes?: Partial<Extract<TokenSettings, { kind: 'signing-key' }>>) => TokenSettings
}

/** The tools, for whatever Slurm is there when they are used. */
export function buildBench(get: GetSlurm): Bench {
  const soon: Bench['soon'] = async (what, holds) => {
    const { clock } = get()
    const beganMs = clock.monotonic()
    await untilHolds(get, what, holds)
    measured.push(`${what}: ${Math.round(clock.monotonic() - beganMs)} ms`)
  }
  const client = (): SlurmClient => waitingClient(get)
  const jobStates = async (id: number): Promise<readonly string[]> => (await client().findJob(id))?.states ?? []
  return {
    client,
    view: () => get().connection.view,
    known: (name) => get().connection.view.node(name),
    soon,
    jobStates,
    runningJob: async (changes) => {
      const id = await client().submitJob(sleeper(changes))
      await untilHolds(get, 'the job to run', async () => (await jobStates(id)).includes('RUNNING'))
      return id
    },
    signing: (changes) => ({ kind: 'signing-key', key: new Secret(get().signingKey()), ...changes }),
  }
}

async function untilHolds(get: GetSlurm, what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const slurm = get()
  const endMs = slurm.clock.monotonic() + PATIENCE_MS
  while (!(await holds())) {
    if (slurm.clock.monotonic() > endMs) throw new Error(`Waited in vain for ${what}: ${PATIENCE_MS / 1000} s.`)
    await slurm.pass(EVERY_MS)
  }
}

/** The client of the shared connection, whose promises are waited for as this Slurm needs it. */
function waitingClient(get: GetSlurm): SlurmClient {
  const slurm = get()
  const wrapped = Object.entries(slurm.connection.client).map(([name, call]) => {
    const ask = call as (...given: unknown[]) => Promise<unknown>
    return [name, (...given: unknown[]) => slurm.wait(ask(...given))]
  })
  return Object.fromEntries(wrapped)
}

function sleeper(changes: Partial<JobSubmission> = {}): JobSubmission {
  return {
    script: '#!/bin/sh\nexec sleep 600\n',
    workingDirectory: '/tmp',
    environment: ['PATH=/bin:/usr/bin'],
    onBehalfOf: 'alice',
    ...changes,
  }
}
