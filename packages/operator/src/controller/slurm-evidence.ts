/**
 * Proof that slurmctld has read new files: something that it reports is different from before.
 *
 * @module
 */
import { equalJson, type Clock, type JsonValue } from '@slurm-operator/kube'
import { withDeadline } from '@slurm-operator/runtime'
import type { SlurmClient } from '@slurm-operator/slurm'

/** What slurmctld reports about its configuration; undefined where this release does not tell, or nobody answered. */
export interface Reported {
  readonly settings: JsonValue | undefined
  readonly partitions: JsonValue | undefined
}

type Asked = Pick<SlurmClient, 'readConfiguration' | 'listPartitions'>

/** slurmctld that has ended is silent for ten seconds; who waits for it so long cannot help it. */
const ANSWERS_WITHIN_MS = 3_000

/** Ask what is in use now. Never throws: not to know is an answer. */
export async function readReported(client: Asked, clock: Clock): Promise<Reported> {
  const limits = { clock, withinMs: ANSWERS_WITHIN_MS }
  const settings = withDeadline('read the configuration', limits, async () => (await client.readConfiguration()).values)
  const partitions = withDeadline('list partitions', limits, async () =>
    describePartitions(await client.listPartitions()),
  )
  const [first, second] = await Promise.allSettled([settings, partitions])
  return { settings: valueOf(first), partitions: valueOf(second) }
}

/** Whether the two reports differ in a way that only new files explain. */
export function provesNewFiles(before: Reported, after: Reported): boolean {
  return isDifferent(before.settings, after.settings) || isDifferent(before.partitions, after.partitions)
}

function isDifferent(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  return before !== undefined && after !== undefined && !equalJson(before, after)
}

type Partitions = Awaited<ReturnType<Asked['listPartitions']>>

/** Only what slurm.conf says, not what nodes come and go. */
function describePartitions(answer: Partitions): JsonValue | undefined {
  if (answer.kind !== 'listed') return undefined
  const lines = answer.records.map(({ name, nodeSets, states, priorityTier, maximumTimeInMinutes }) =>
    JSON.stringify([name, nodeSets, states, priorityTier ?? null, maximumTimeInMinutes]),
  )
  return lines.sort()
}

function valueOf(result: PromiseSettledResult<unknown>): JsonValue | undefined {
  return result.status === 'fulfilled' ? (result.value as JsonValue) : undefined
}
