import type { Schema } from './schema.ts'
import { goDuration, intOrString, time } from './shared.ts'

/** How workers of a NodeSet get a new template. */
export const updateStrategy = {
  type: 'object',
  defaultInMemory: {},
  description: 'How workers get a new template.',
  'x-kubernetes-validations': [
    {
      rule: "self.type != 'ScheduledUpdate' || (has(self.scheduledUpdate) && has(self.scheduledUpdate.startTime) && has(self.scheduledUpdate.duration))",
      message: 'scheduledUpdate.startTime is missing: with type ScheduledUpdate, say when it should begin',
    },
  ],
  properties: {
    type: {
      type: 'string',
      default: 'RollingUpdate',
      enum: ['RollingUpdate', 'OnDelete', 'ScheduledUpdate'],
      description:
        'RollingUpdate: a few at a time, each once its jobs have ended. OnDelete: when somebody deletes the pod. ScheduledUpdate: all, in a reservation.',
    },
    rollingUpdate: {
      type: 'object',
      defaultInMemory: {},
      description: 'For RollingUpdate.',
      properties: {
        maxUnavailable: {
          ...intOrString,
          default: '25%',
          maxLength: 20,
          'x-kubernetes-validations': [
            {
              rule: "type(self) == int ? self >= 1 : self.matches('^0*[1-9][0-9]*%$')",
              message: 'maxUnavailable must be at least 1 or 1%, or no worker would ever be updated',
            },
          ],
          description: 'How many workers may be unavailable at a time, as a number or percentage.',
        },
      },
    },
    scheduledUpdate: {
      type: 'object',
      description: 'For ScheduledUpdate.',
      properties: {
        startTime: { ...time, description: 'When the reservation starts.' },
        duration: {
          ...goDuration,
          default: '30m',
          description: 'How long it is, such as 30m.',
          'x-kubernetes-validations': [
            {
              rule: "duration(self) == duration('0s') || duration(self) >= duration('1m')",
              message: 'duration must be at least 1m: Slurm counts reservations in minutes',
            },
          ],
        },
        flags: {
          type: 'array',
          nullable: true,
          items: { type: 'string' },
          description: 'More flags of the reservation.',
        },
      },
    },
  },
} as const satisfies Schema
