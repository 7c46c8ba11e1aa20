/**
 * What Slurm said, and how sure we are.
 *
 * @module
 */
export {
  absent,
  ask,
  consider,
  every,
  lastSeen,
  not,
  seen,
  some,
  unknown,
  type Answer,
  type Knowledge,
  type UnknownWhy,
} from './knowledge.ts'

export { apiVersions, type ApiVersion } from './model/api-version.ts'
export type { AccountingCluster, SlurmConfiguration, SlurmIdentity } from './model/cluster.ts'
export type { JobCounters, SchedulerCycles, SlurmStatistics } from './model/diag.ts'
export type { SlurmJob, SlurmJobState } from './model/job.ts'
export { mappings, type Mapping } from './model/mappings.ts'
export type { SlurmNode } from './model/node.ts'
export type { SlurmPartition } from './model/partition.ts'
export type { SlurmPing } from './model/ping.ts'
export { readIdentity } from './model/read-cluster.ts'
export type { Records, Single, Unreadable } from './model/records.ts'
export type { SlurmReservation } from './model/reservation.ts'

export {
  REASON_PREFIX,
  isClosedByOthers,
  isForeignDrain,
  isOurReason,
  isReasonOurs,
  isRefusalOnly,
  isRefusedNoMore,
  mayUndrain,
} from './states/drain-ownership.ts'
export type { JobBaseState, JobStateFlag, JobStateWord } from './states/job-state-words.ts'
export { findJobBaseState, hasSucceeded, holdsNodes, isCompleting, isFinished, isPending } from './states/job-states.ts'
export type { NodeBaseState, NodeStateFlag, NodeStateWord } from './states/node-state-words.ts'
export {
  findBaseState,
  hasState,
  isBaseState,
  isBusy,
  isDefunctCandidate,
  isDown,
  isDrain,
  isDrained,
  isDraining,
  isIdle,
  isInMotion,
  isUnresponsive,
  isVacant,
} from './states/node-states.ts'

export { buildReason, cleanReason, MAXIMUM_REASON_LENGTH } from './reasons/clean-reason.ts'

export { expandHostlist, HostlistError, readHostlist, type HostlistReading } from './hostlist/expand.ts'
export { normalizeHostlist, sameHosts, sortHostNames, writeHostlist, writeSortedHostlist } from './hostlist/write.ts'

export { readFeatures, replaceFeatures, sameFeatures } from './values/features.ts'
export { finiteOf, readBounded, writeBounded, type Bounded } from './values/no-value.ts'
export { readNote, type Note } from './values/note.ts'
export { deadlineMs, readTimeMs, writeTime } from './values/times.ts'
export { readTopology, sameTopology, writeTopology, type TopologyPlace } from './values/topology.ts'
export { readGres, readTres, type Gres, type Tres } from './values/tres.ts'

// Talking to slurmrestd.
export { isSlurmFailure, SlurmError, type SlurmErrorFacts, type SlurmFailure } from './errors.ts'
export { steadyClock, systemClock, systemRandom, type Clock, type Random } from './client/clock.ts'
export { TransportError, type Transport, type WireAnswer, type WireRequest } from './client/transport.ts'
export { httpTransport, type HttpTransportOptions } from './client/http-transport.ts'
export { Endpoint, type EndpointOptions } from './client/endpoint.ts'
export { slurmClient, type SlurmClient } from './client/slurm-client.ts'
export type { Caller, SlurmRequest } from './client/request.ts'
export type { BatchResult } from './client/batch.ts'
export type { Listing, ListOptions } from './client/listing.ts'
export type { NodeUpdate, WantedNodeState } from './client/node-operations.ts'
export type { JobSubmission, JobUpdate } from './client/job-operations.ts'
export type { ReservationWish } from './client/reservation-operations.ts'
export { NODES_BUSY } from './client/slurm-error-numbers.ts'

// Tokens.
export { Secret } from './tokens/secret.ts'
export { mintToken, tokenExpiry } from './tokens/mint-token.ts'
export { signingKeySource, type SigningKeyOptions } from './tokens/signing-key-source.ts'
export { givenTokenSource, type GivenTokenOptions } from './tokens/given-token-source.ts'
export type { TokenSource } from './tokens/token-source.ts'

// One shared view and one connection per Slurm cluster.
export {
  noClientReader,
  viewPace,
  type SlurmReader,
  type SlurmView,
  type ViewChange,
  type ViewPart,
} from './view/slurm-view.ts'
export type { ViewPace } from './view/watched-list.ts'
export { connect, type ConnectionChange, type ConnectionWorld, type SlurmConnection } from './registry/connection.ts'
export { SlurmRegistry, type RegistryListener } from './registry/registry.ts'
export type { ConnectionSettings, TokenSettings } from './registry/settings.ts'
export type { ConnectionHealth, ConnectionState, ControllerHealth, EndpointHealth } from './registry/health.ts'
