import type { Schema } from './schema.ts'
import { count, time } from './shared.ts'
import { commonStatus } from './status.ts'

/** The message says how soon we look again. The moment itself is not here: it would be written anew in every pass. */
const waiting = {
  type: 'array',
  'x-kubernetes-list-type': 'atomic',
  maxItems: 20,
  description: 'Who waits for what, the longest wait first. Only a few lines: waitingReplicas says how many wait.',
  items: {
    type: 'object',
    required: ['name', 'reason', 'message'],
    properties: {
      name: { type: 'string', description: 'The worker pod; empty for all.' },
      reason: { type: 'string', description: 'Why it waits, in one word.' },
      message: {
        type: 'string',
        maxLength: 1024,
        description: 'What it waits for, in a sentence, and how soon we look again.',
      },
      since: { ...time, description: 'Since when.' },
    },
  },
} as const satisfies Schema

/** What the workers of a NodeSet are. */
export const nodeSetStatus = {
  type: 'object',
  description: 'What the workers are.',
  properties: {
    ...commonStatus,
    desired: { ...count, description: 'Workers that there should be.' },
    replicas: { ...count, description: 'Worker pods that exist.' },
    updatedReplicas: { ...count, description: 'Those that have the newest template.' },
    readyReplicas: { ...count, description: 'Those that are ready.' },
    availableReplicas: { ...count, description: 'Those that have been ready for minReadySeconds.' },
    unavailableReplicas: { ...count, description: 'Those that should be available and are not.' },
    slurmIdle: { ...count, description: 'Slurm nodes that are idle.' },
    slurmAllocated: { ...count, description: 'Slurm nodes that run jobs.' },
    slurmDown: { ...count, description: 'Slurm nodes that are down.' },
    slurmDrain: { ...count, description: 'Slurm nodes that are drained or being drained.' },
    slurmNodes: { type: 'string', description: 'Allocated/idle/other/total, as sinfo prints it.' },
    nodeSetHash: { type: 'string', description: 'The revision of the pod template.' },
    collisionCount: { ...count, description: 'How often two templates had the same hash.' },
    ordinalToNode: {
      type: 'object',
      nullable: true,
      additionalProperties: { type: 'string' },
      description: 'With pinToNode: the Kube node of each worker, by its number.',
    },
    selector: { type: 'string', description: 'The labels of the pods, for autoscalers.' },
    waitingReplicas: { ...count, description: 'How many workers wait for something.' },
    waiting,
    reservation: {
      type: 'object',
      description: 'The reservation of a scheduled update, as we last wrote it to Slurm.',
      properties: {
        name: { type: 'string', description: 'Its name in Slurm.' },
        startTime: { ...time, description: 'When it starts.' },
        duration: { type: 'string', description: 'How long it is.' },
      },
    },
  },
} as const satisfies Schema
