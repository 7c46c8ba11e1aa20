import type { AccountingCluster, SlurmConfiguration } from '../model/cluster.ts'
import type { SlurmStatistics } from '../model/diag.ts'
import { mappings } from '../model/mappings.ts'
import type { SlurmPartition } from '../model/partition.ts'
import type { SlurmPing } from '../model/ping.ts'
import { findOne, listAll, reader, single, type Listing, type ListOptions } from './listing.ts'
import { pingRequest } from './ping-request.ts'
import type { Caller, RecordReader, SlurmRequest } from './request.ts'
import { INVALID_QUERY } from './slurm-error-numbers.ts'

/** Everything that concerns the Slurm cluster as a whole. */
export interface ClusterOperations {
  /** One entry per slurmctld, in the order of `SlurmctldHost`. Decide on `responding` alone. */
  ping(): Promise<readonly SlurmPing[]>
  /** Let slurmctld and all slurmd read their configuration again. */
  reconfigure(): Promise<void>
  readStatistics(): Promise<SlurmStatistics>
  /** Needs v0.0.45. */
  readConfiguration(): Promise<SlurmConfiguration>
  listPartitions(options?: ListOptions): Promise<Listing<SlurmPartition>>
  findPartition(name: string): Promise<SlurmPartition | undefined>
  /** Throws `unavailable` when slurmdbd is away; nothing else depends on it. */
  pingAccounting(): Promise<readonly SlurmPing[]>
  listAccountingClusters(): Promise<readonly AccountingCluster[]>
}

const pingReader = reader<SlurmPing>('pings', 'pings')
const partitionReader = reader<SlurmPartition>('partitions', 'partitions')
const clusterReader = reader<AccountingCluster>('clusters', 'accountingClusters')
const statisticsRequest: SlurmRequest = { method: 'GET', path: '/diag/' }
const configurationRequest: SlurmRequest = { method: 'GET', path: '/conf', needs: 'v0.0.45' }

/** Operations on the Slurm cluster through any caller. */
export function clusterOperations(caller: Caller): ClusterOperations {
  const records = async <T>(request: SlurmRequest, recordReader: RecordReader<T>): Promise<readonly T[]> =>
    (await caller.call(request, recordReader)).list.records
  return {
    ping: async () => {
      const { body, version } = await caller.call(pingRequest)
      return mappings[version].pings(body).records
    },
    reconfigure: async () => {
      await caller.call({ method: 'GET', path: '/reconfigure/', timeoutMs: 30_000 })
    },
    readStatistics: async () => {
      const { body, version } = await caller.call(statisticsRequest)
      return single(statisticsRequest, mappings[version].statistics(body))
    },
    readConfiguration: async () => {
      const { body, version } = await caller.call(configurationRequest)
      return single(configurationRequest, mappings[version].configuration(body))
    },
    listPartitions: (options) => listAll(caller, '/partitions/', partitionReader, options),
    findPartition: (name) =>
      findOne(
        caller,
        { method: 'GET', path: `/partition/${encodeURIComponent(name)}`, notFoundNumbers: [INVALID_QUERY] },
        partitionReader,
      ),
    pingAccounting: () => records({ method: 'GET', plugin: 'slurmdb', path: '/ping/' }, pingReader),
    listAccountingClusters: () => records({ method: 'GET', plugin: 'slurmdb', path: '/clusters/' }, clusterReader),
  }
}
