/**
 * Test data of this package: recorded answers, and nodes and jobs to vary.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { seen, unknown, absent, type Knowledge, type UnknownWhy } from '../knowledge.ts'
import { endedJobStates, jobStateFlags, liveJobStates } from '../states/job-state-words.ts'
import { nodeBaseStates, nodeStateFlags } from '../states/node-state-words.ts'
import type { SlurmJob } from './job.ts'
import { mappings } from './mappings.ts'
import type { SlurmNode } from './node.ts'

const FIXTURES = `${import.meta.dirname}/../../fixtures`

/** One exchange with a real slurmrestd. */
export interface Recorded {
  readonly note?: string
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown }
  readonly response: { readonly status: number; readonly body: unknown }
}

/** A recorded exchange by its name, without `.json`. */
export function recorded(name: string): Recorded {
  return JSON.parse(readFileSync(`${FIXTURES}/${name}.json`, 'utf8')) as Recorded
}

/** The names of all recorded exchanges. */
export function recordedNames(): string[] {
  return readdirSync(FIXTURES).map((file) => file.replace(/\.json$/, ''))
}

/** An idle node that nobody has touched, with the given differences. */
export function aNode(differences: Partial<SlurmNode> = {}): SlurmNode {
  const [idle] = mappings['v0.0.45'].nodes(recorded('node-idle').response.body).records
  if (idle === undefined) throw new Error('Cannot build a node: the recording node-idle holds none.')
  return { ...idle, ...differences }
}

/** A running job, with the given differences. */
export function aJob(differences: Partial<SlurmJob> = {}): SlurmJob {
  const [running] = mappings['v0.0.45'].jobs(recorded('job-running').response.body).records
  if (running === undefined) throw new Error('Cannot build a job: the recording job-running holds none.')
  return { ...running, ...differences }
}

/** Any set of words that Slurm could send as the state of a node, known and unknown, also contradictory ones. */
export const anyNodeStates: fc.Arbitrary<string[]> = fc.uniqueArray(
  fc.oneof(fc.constantFrom(...nodeBaseStates, ...nodeStateFlags), fc.constantFrom('SOME_DAY', 'drain', '')),
  { maxLength: 6 },
)

/** Any set of words that Slurm could send as the state of a job. */
const anyJobStates: fc.Arbitrary<string[]> = fc.uniqueArray(
  fc.oneof(fc.constantFrom(...liveJobStates, ...endedJobStates, ...jobStateFlags), fc.constantFrom('SOME_DAY', '')),
  { maxLength: 5 },
)

/** A reason by us, by others, by slurmctld, or none. */
const anyReason: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('', 'slurm-operator: going', 'slurm-operator:x', 'Not responding', 'bad disk [root@2026]'),
  fc.string(),
)

/** Everything that can be known about something, sightings as likely as all else together. */
export function anyKnowledgeOf<T>(value: fc.Arbitrary<T>): fc.Arbitrary<Knowledge<T>> {
  const whys: UnknownWhy[] = ['no-client', 'unreachable', 'not-listed-yet', 'unreadable', 'vanished']
  return fc.oneof(
    { weight: 3, arbitrary: fc.tuple(value, fc.nat()).map(([node, atMs]) => seen(node, atMs)) },
    { weight: 1, arbitrary: fc.nat().map((sinceMs): Knowledge<T> => absent(sinceMs)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...whys), fc.option(value, { nil: undefined }))
        .map(([why, last]) => unknown(why, last)),
    },
  )
}

/** Anything that can be known about a node. */
export const anyKnownNode: fc.Arbitrary<Knowledge<SlurmNode>> = anyKnowledgeOf(
  fc.record({ states: anyNodeStates, reason: anyReason }).map((differences) => aNode(differences)),
)

/** Anything that can be known about a job. */
export const anyKnownJob: fc.Arbitrary<Knowledge<SlurmJob>> = anyKnowledgeOf(
  anyJobStates.map((states) => aJob({ states })),
)
