/**
 * The types of conditions that we write.
 *
 * @module
 */

/** On our own objects. */
export const conditionTypes = {
  /** Everything wanted is there and works. */
  ready: 'Ready',
  /** We are at work on it. */
  reconciling: 'Reconciling',
  /** Only a person can help; the reason names what. */
  stalled: 'Stalled',
  /** Slurm answers us. */
  slurmReachable: 'SlurmReachable',
  /** The reservation of a scheduled update exists in Slurm. */
  reservationCreated: 'ReservationCreated',
  /** slurmctld uses the configuration that we wrote. */
  configurationApplied: 'ConfigurationApplied',
  /** The claim of slurmctld is as large as the spec asks for. */
  claimCurrent: 'ClaimCurrent',
} as const

/** One of them. */
export type ConditionType = (typeof conditionTypes)[keyof typeof conditionTypes]

/** On worker pods: Slurm has listed the worker. Once written it stays, as False when the record is gone. */
export const SLURM_REGISTERED = 'SlurmRegistered'

/** What the condition types on worker pods begin with; one of `podNodeStates` follows. */
export const POD_STATE_PREFIX = 'SlurmNodeState'

/** The states of Slurm nodes as they stand in conditions of worker pods: base states, then flags. */
export const podNodeStates = [
  ...(['Allocated', 'Down', 'Error', 'Future', 'Idle', 'Mixed', 'Unknown'] as const),
  ...(['Completing', 'Drain', 'Fail', 'Invalid', 'InvalidReg', 'Maintenance', 'NotResponding', 'Undrain'] as const),
] as const

/** One of them. */
export type PodNodeState = (typeof podNodeStates)[number]

/** The type of a worker pod's condition for one state. */
export function podStateCondition<State extends PodNodeState>(state: State): `${typeof POD_STATE_PREFIX}${State}` {
  return `${POD_STATE_PREFIX}${state}`
}
