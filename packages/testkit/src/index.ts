/**
 * Servers that misbehave on request, clocks that obey. For tests only.
 *
 * @module
 */

// Time and chance.
export { createVirtualClock, type VirtualClock, type VirtualClockOptions } from './clock/virtual-clock.ts'
export { createRandomSource, type RandomSource } from './random/random-source.ts'

// The world: processes, faults, traces.
export { createGate, type Fate, type Gate, type MessageFate, type Side } from './world/fate.ts'
export {
  commonFates,
  commonMessageFates,
  peace,
  planExactly,
  planTrouble,
  planUntil,
  type Plan,
  type Trouble,
} from './world/plan.ts'
export { createProcess, type ProcessState, type ProcessWithDoor, type SimulatedProcess } from './world/process.ts'
export { isWrite, type Message, type Step } from './world/step.ts'
export { Trace, type ProcessChange, type TraceEntry } from './world/trace.ts'
export { createWorld, type World, type WorldOptions } from './world/world.ts'

// The API server.
export {
  createApiServer,
  type ApiServerOptions,
  type ServerReplica,
  type SimulatedApiServer,
} from './api-server/api-server.ts'
export type {
  AdmissionHandler,
  AdmissionQuestion,
  AdmissionVerdict,
  Operation,
} from './api-server/admission/admission.ts'
export { limits, type Limit } from './api-server/limits.ts'
export type { StoredChange } from './api-server/store/store.ts'
export { openHttpDoor, type HttpDoor } from './api-server/transport/http-door.ts'
export type { ReviewRules } from './api-server/verbs/review.ts'

// One suite, several servers.
export { contractSuites } from './contract/contract-suites.ts'
export type { GetServer, ServerUnderTest } from './contract/server-under-test.ts'
export { startSimulated } from './contract/simulated.ts'

// Examples that keep their word.
export { findExamples, runExample, type Example } from './readme/run-example.ts'

// A Slurm.
export { createSimulatedSlurm, type SimulatedSlurm, type SimulatedSlurmOptions } from './slurm/simulated-slurm.ts'
export type { Fault, FaultKind } from './slurm/faults.ts'

// Machines: scheduler, kubelet and slurmd.
export { createMachines, type MachineOptions, type SimulatedMachines } from './kubelet/kubelet.ts'
export { slurmdOf } from './kubelet/slurmd-of.ts'
