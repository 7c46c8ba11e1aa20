import { clusterOperations, type ClusterOperations } from './cluster-operations.ts'
import { jobOperations, type JobOperations } from './job-operations.ts'
import { nodeOperations, type NodeOperations } from './node-operations.ts'
import type { Caller } from './request.ts'
import { reservationOperations, type ReservationOperations } from './reservation-operations.ts'

/** Everything we can ask of and order from a Slurm cluster. Each call has a deadline and throws `SlurmError`. */
export interface SlurmClient extends NodeOperations, JobOperations, ReservationOperations, ClusterOperations {}

/** All operations through one caller. */
export function slurmClient(caller: Caller): SlurmClient {
  return {
    ...nodeOperations(caller),
    ...jobOperations(caller),
    ...reservationOperations(caller),
    ...clusterOperations(caller),
  }
}
