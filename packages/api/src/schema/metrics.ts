import type { Schema } from './schema.ts'

const prometheusDuration = {
  type: 'string',
  pattern: '^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$',
} as const satisfies Schema

const texts = { type: 'object', nullable: true, additionalProperties: { type: 'string' } } as const satisfies Schema

const timing = {
  interval: { ...prometheusDuration, description: 'How often to scrape.' },
  scrapeTimeout: { ...prometheusDuration, description: 'How long to wait for an answer.' },
} as const satisfies Readonly<Record<string, Schema>>

/** Slurm's own metrics, and who reads them. */
export const metrics = {
  type: 'object',
  description: 'The metrics of Slurm itself.',
  defaultInMemory: {},
  properties: {
    enabled: { type: 'boolean', default: false, description: 'Let slurmctld serve metrics.' },
    serviceMonitor: {
      type: 'object',
      nullable: true,
      description: 'A ServiceMonitor for the Prometheus operator.',
      properties: {
        enabled: { type: 'boolean', default: false, description: 'Make one; metrics must be enabled, too.' },
        labels: { ...texts, description: 'Labels to add.' },
        annotations: { ...texts, description: 'Annotations to add.' },
        ...timing,
        endpoints: {
          type: 'array',
          nullable: true,
          description: 'What to scrape, instead of all that slurmctld serves.',
          items: {
            type: 'object',
            required: ['path'],
            properties: { path: { type: 'string', description: 'The HTTP path.' }, ...timing },
          },
        },
      },
    },
  },
} as const satisfies Schema
