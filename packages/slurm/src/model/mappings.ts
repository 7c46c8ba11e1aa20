import type { ApiVersion } from './api-version.ts'
import type { AccountingCluster, SlurmConfiguration } from './cluster.ts'
import type { SlurmStatistics } from './diag.ts'
import type { SlurmJob, SlurmJobState } from './job.ts'
import type { SlurmNode } from './node.ts'
import type { SlurmPartition } from './partition.ts'
import type { SlurmPing } from './ping.ts'
import { readAccountingCluster, readConfiguration } from './read-cluster.ts'
import { readStatistics } from './read-diag.ts'
import { readJob, readJobState } from './read-job.ts'
import { readNode, readNodeWithTopology } from './read-node.ts'
import { readPartition, readPartitionWithFlags, readPartitionWithTopology } from './read-partition.ts'
import { readPing, readPingWithStatus } from './read-ping.ts'
import { attempt, readRecords, readSingle } from './read-records.ts'
import { readReservation } from './read-reservation.ts'
import type { Records, Single } from './records.ts'
import type { SlurmReservation } from './reservation.ts'

/** How the answers of one REST version become our model. Total: any JSON at all gives a value, never an exception. */
export interface Mapping {
  nodes(answer: unknown): Records<SlurmNode>
  jobs(answer: unknown): Records<SlurmJob>
  jobStates(answer: unknown): Records<SlurmJobState>
  partitions(answer: unknown): Records<SlurmPartition>
  reservations(answer: unknown): Records<SlurmReservation>
  pings(answer: unknown): Records<SlurmPing>
  statistics(answer: unknown): Single<SlurmStatistics>
  configuration(answer: unknown): Single<SlurmConfiguration>
  accountingClusters(answer: unknown): Records<AccountingCluster>
}

/** One line per version; what a version has differently from the one before is all that its line names. */
export const mappings: Readonly<Record<ApiVersion, Mapping>> = {
  'v0.0.42': buildMapping({ node: readNode, partition: readPartition, ping: readPing }),
  'v0.0.43': buildMapping({ node: readNodeWithTopology, partition: readPartitionWithTopology, ping: readPing }),
  'v0.0.44': buildMapping({ node: readNodeWithTopology, partition: readPartitionWithTopology, ping: readPing }),
  'v0.0.45': buildMapping({ node: readNodeWithTopology, partition: readPartitionWithFlags, ping: readPingWithStatus }),
}

/** What differs between versions; everything else reads the same fields in all of them. */
interface Readers {
  readonly node: (raw: unknown) => SlurmNode
  readonly partition: (raw: unknown) => SlurmPartition
  readonly ping: (raw: unknown) => SlurmPing
}

function buildMapping({ node, partition, ping }: Readers): Mapping {
  return {
    nodes: (answer) => readRecords(answer, 'nodes', node),
    jobs: (answer) => readRecords(answer, 'jobs', readJob),
    jobStates: (answer) => readRecords(answer, 'jobs', readJobState),
    partitions: (answer) => readRecords(answer, 'partitions', partition),
    reservations: (answer) => readRecords(answer, 'reservations', readReservation),
    pings: (answer) => readRecords(answer, 'pings', ping),
    statistics: (answer) => readSingle(answer, 'statistics', readStatistics),
    configuration: (answer) => attempt(() => readConfiguration(answer)),
    accountingClusters: (answer) => readRecords(answer, 'clusters', readAccountingCluster),
  }
}
