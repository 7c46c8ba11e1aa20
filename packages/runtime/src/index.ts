/**
 * How a loop is woken, queued, retried, elected and measured.
 *
 * @module
 */

// What a loop reads, and what wakes it.
export { Cache, withoutManagedFields, type CacheListener, type CacheOptions, type CacheReader } from './cache/cache.ts'
export type { CacheChange, Cached, CachedMeta } from './cache/cached.ts'
export { foldingWriter, type FoldsIn } from './cache/folding-writer.ts'
export type { IndexFunction } from './cache/index-by.ts'
export type { Indexes } from './cache/store.ts'
export { SelfCheck, type SelfCheckOptions } from './reflector/self-check.ts'
export { forObjects, ownedBy, watches, type SourceCache, type SourceOptions } from './sources/from-cache.ts'

// The loop.
export { keyFromText, keyText } from './loop/key-text.ts'
export { Loop, type LoopObserver, type LoopOptions } from './loop/loop.ts'
export type { Pass, Reconcile } from './loop/pass.ts'
export type { LoopSource, Wake } from './loop/source.ts'
export { lookAgain, mergeOutcomes, settled, type Outcome } from './outcome/outcome.ts'
export { Queue, type AddOptions, type QueueObserver, type QueueOptions } from './queue/queue.ts'

// The program around it.
export type { Component, Life } from './manager/component.ts'
export { Manager, type ManagerOptions } from './manager/manager.ts'
export { runOperator, type OperatorName, type OperatorTools } from './manager/run-operator.ts'
export { runProgram } from './manager/run-program.ts'
export { Election, LeadershipLostError, type ElectionOptions } from './election/election.ts'
export { guardTransport, guardWrites, openGate, type WriteGate } from './election/gate.ts'
export { createIdentity } from './election/identity.ts'
export { joinElection, type Contender, type ContenderOptions } from './election/join-election.ts'
export { createLeaseStore } from './election/kube-lease-store.ts'
export type { LeaseStore } from './election/lease.ts'
export { createLogger, silentLogger, type Logger } from './logging/logger.ts'
export { SecretValues } from './logging/secret-values.ts'
export { logSettingsFrom, zapFlags } from './logging/zap-flags.ts'
export * from './flags/flag.ts'
export { parseFlags } from './flags/parse-flags.ts'
export { describeFlags, printFlagTable, printHelp, printWrong } from './flags/print-flags.ts'
export { Supervisor } from './supervise/supervisor.ts'
export { inParallel } from './supervise/in-parallel.ts'
export { asError } from './supervise/as-error.ts'
export { DeadlineError, withDeadline } from './supervise/with-deadline.ts'

// Servers: webhooks, metrics, health, profiling.
export { createServer } from './serving/server.ts'
export { parseListenAddress } from './serving/listen-address.ts'
export { createWebhookServer } from './webhook/webhook-server.ts'
export { whyNotReached } from './webhook/reach-webhook.ts'
export { allowed, denied } from './webhook/verdict.ts'
export type { Hook, HookObserver } from './webhook/hook.ts'
export type { ReviewRequest } from './webhook/review.ts'
export { createMetrics, listMetrics, type Metrics } from './metrics/metrics.ts'
export { createMetricsServer } from './metrics/metrics-server.ts'
export { createAuthorize } from './metrics/authorize.ts'
export { createAccessReviews } from './metrics/kube-reviews.ts'
export { metricTable } from './metrics/metric-table.ts'
export { createHealthServer } from './health/health-server.ts'
export type { HealthCheck } from './health/check.ts'
export { createProfilingServer } from './profiling/profiling-server.ts'

// Certificates of those servers.
export type { CertificateReads, CertificateSource } from './certificates/certificate-source.ts'
export { certificateFiles } from './certificates/given/watch-files.ts'
export { selfSigned } from './certificates/given/self-signed.ts'
export { ownCertificates } from './certificates/own/keep-certificates.ts'
export { createBundleStore, createSecretStore } from './certificates/own/kube-stores.ts'
export { usualPolicy } from './certificates/own/policy.ts'

// Children, Events, status.
export {
  childKind,
  type ChildKind,
  type ChildStep,
  type LiveChild,
  type ParentObject,
  type Refusal,
} from './apply/child.ts'
export { buildRecreateStep, carryOutChildren, type ChildResult } from './apply/carry-out.ts'
export { ensureChildren } from './apply/ensure-children.ts'
export { NoOpMemory } from './apply/no-op-memory.ts'
export { outcomeOfChildren } from './apply/outcome-of-children.ts'
export { keepOwnFields, mergeOwnedFields } from './apply/owned-fields.ts'
export { observeChildren, planChildren } from './apply/plan-children.ts'
export { defaultEventLimits } from './events/event-limits.ts'
export type { Happening } from './events/happening.ts'
export { Recorder, type DropCause, type EventStore, type RecordEvent } from './events/recorder.ts'
export { buildStatus, isFirstStatus } from './status/build-status.ts'
export { outcomeOfStatus } from './status/outcome-of-status.ts'
export { planStatus } from './status/plan-status.ts'
export { buildConditions, type ObjectState } from './status/state.ts'
export { StatusWriter, type StatusResult, type StatusStore } from './status/status-writer.ts'
