/**
 * `npm run bench -- slurm`: our view of a Slurm cluster with many nodes and jobs, against what anybody would write. The
 * simulated slurmrestd, our side and the plain side are processes of their own.
 *
 * @module
 */
import type { Report, Surroundings } from './benchmark.ts'
import { changedName, type ServerAnswers } from './slurm/orders.ts'
import { buildReport, type Run, type Watched } from './slurm/report.ts'
import { startClient, startServer } from './slurm/start-process.ts'

const MINUTE = 60_000
/** At rest a change is heard of within half a minute: one change, early, is what such a time has room for. */
const REST_CHANGE_AFTER_MS = 2000
const MOTION_CHANGE_EVERY_MS = 1000
const MOTION_QUIET_END = 10 // changes fewer than seconds, so that the last of them is heard too

/** Measure. */
export async function runSlurm(sizes: Readonly<Record<string, number>>, surroundings: Surroundings): Promise<Report> {
  const { nodes = 0, jobs = 0 } = sizes
  const { signal, say } = surroundings
  await using server = startServer(signal)
  const started = await server.ask({ do: 'start', nodes, jobs }, 10 * MINUTE)
  say(`A simulated Slurm with ${nodes} nodes and ${jobs} jobs after ${started.seconds.toFixed(1)} s.`)
  const plain = await measurePlain(started, surroundings)
  return buildReport({ sizes, plain, ...(await measureOurs(started, server, sizes, surroundings)) })
}

async function measurePlain(started: ServerAnswers['start'], { signal, say }: Surroundings): Promise<Run['plain']> {
  await using plain = startClient('plain-process.ts', started, signal)
  const list = await plain.ask({ do: 'list' }, 10 * MINUTE)
  say(`plain: read ${list.nodes} nodes and ${list.jobs} jobs in ${list.seconds.toFixed(1)} s.`)
  return { list, settle: await plain.ask({ do: 'settle' }, MINUTE) }
}

async function measureOurs(
  started: ServerAnswers['start'],
  server: ReturnType<typeof startServer>,
  { nodes = 0, 'rest-seconds': restSeconds = 0, 'motion-seconds': motionSeconds = 0 }: Run['sizes'],
  { signal, say }: Surroundings,
): Promise<Pick<Run, 'ours' | 'rest' | 'motion'>> {
  await using client = startClient('client-process.ts', started, signal)
  const list = await client.ask({ do: 'list' }, 10 * MINUTE)
  say(`ours: knew ${list.nodes} nodes and ${list.jobs} jobs after ${list.seconds.toFixed(1)} s.`)
  const sides = { server, client }
  const rest = await watch(sides, { seconds: restSeconds, waitFor: [], count: 1, everyMs: REST_CHANGE_AFTER_MS })
  say(`ours: ${rest.seen.requests} requests in ${restSeconds} s at rest.`)
  const count = Math.max(1, Math.floor((motionSeconds * 1000) / MOTION_CHANGE_EVERY_MS) - MOTION_QUIET_END)
  const waitFor = Array.from({ length: count }, (_, number) => changedName(number, nodes))
  const motion = await watch(sides, { seconds: motionSeconds, waitFor, count, everyMs: MOTION_CHANGE_EVERY_MS })
  say(`ours: ${motion.seen.requests} requests in ${motionSeconds} s in motion.`)
  return { ours: { list, settle: await client.ask({ do: 'settle' }, MINUTE) }, rest, motion }
}

interface Part {
  readonly seconds: number
  /** Nodes that somebody waits for; none: at rest. */
  readonly waitFor: readonly string[]
  readonly count: number
  readonly everyMs: number
}

/** Watch, while the other process makes changes. */
async function watch(
  { server, client }: { server: ReturnType<typeof startServer>; client: ReturnType<typeof startClient> },
  { seconds, waitFor, count, everyMs }: Part,
): Promise<Watched> {
  const mark = waitFor.length > 0 ? 'motion-' : 'rest-'
  const timeoutMs = seconds * 1000 + 2 * MINUTE
  const [seen, { atMs }] = await Promise.all([
    client.ask({ do: 'watch', seconds, waitFor, mark }, timeoutMs),
    server.ask({ do: 'change', count, everyMs, mark }, timeoutMs),
  ])
  return { seen, changedAtMs: atMs, seconds }
}
