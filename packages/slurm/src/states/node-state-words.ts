/** The base states, in the order that settles it when an answer holds several. */
export const nodeBaseStates = ['ALLOCATED', 'DOWN', 'ERROR', 'FUTURE', 'IDLE', 'MIXED', 'UNKNOWN'] as const

/** What a Slurm node is at heart; flags say what is done to it. */
export type NodeBaseState = (typeof nodeBaseStates)[number]

/** The flags that 24.11 to 26.05 know. */
export const nodeStateFlags = [
  'BLOCKED',
  'CLOUD',
  'COMPLETING',
  'DRAIN',
  'DYNAMIC_FUTURE',
  'DYNAMIC_NORM',
  'EXTERNAL',
  'FAIL',
  'INVALID',
  'INVALID_REG',
  'MAINTENANCE',
  'NOT_RESPONDING',
  'PLANNED',
  'POWERED_DOWN',
  'POWERING_DOWN',
  'POWERING_UP',
  'POWER_DOWN',
  'POWER_DOWN_ASAP',
  'POWER_DOWN_FORCE',
  'POWER_DRAIN',
  'POWER_UP',
  'REBOOT_CANCELED',
  'REBOOT_ISSUED',
  'REBOOT_REQUESTED',
  'RESERVED',
  'RESUME',
  'UNDRAIN',
] as const

/** A word that is added to a base state. */
export type NodeStateFlag = (typeof nodeStateFlags)[number]

/** A word of a node's state; a later release may send one we do not know, and we keep it. */
export type NodeStateWord = NodeBaseState | NodeStateFlag | (string & {})
