/** The base states of a job that has not ended. */
export const liveJobStates = ['PENDING', 'RUNNING', 'SUSPENDED'] as const

/** The base states of a job that has ended, one way or another. */
export const endedJobStates = [
  'BOOT_FAIL',
  'CANCELLED',
  'COMPLETED',
  'DEADLINE',
  'FAILED',
  'NODE_FAIL',
  'OUT_OF_MEMORY',
  'PREEMPTED',
  'TIMEOUT',
] as const

/** The flags that 24.11 to 26.05 know. */
export const jobStateFlags = [
  'COMPLETING',
  'CONFIGURING',
  'EXPEDITING',
  'LAUNCH_FAILED',
  'POWER_UP_NODE',
  'RECONFIG_FAIL',
  'REQUEUED',
  'REQUEUE_FED',
  'REQUEUE_HOLD',
  'RESIZING',
  'RESV_DEL_HOLD',
  'REVOKED',
  'SIGNALING',
  'SPECIAL_EXIT',
  'STAGE_OUT',
  'STOPPED',
] as const

/** What a job is at heart; flags say what is done to it. */
export type JobBaseState = (typeof liveJobStates)[number] | (typeof endedJobStates)[number]

/** A word that is added to a base state. */
export type JobStateFlag = (typeof jobStateFlags)[number]

/** A word of a job's state; a later release may send one we do not know, and we keep it. */
export type JobStateWord = JobBaseState | JobStateFlag | (string & {})
