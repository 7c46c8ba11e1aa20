/**
 * What every status has, and what Slurm tells about a cluster.
 *
 * @module
 */
import type { Schema } from './schema.ts'
import { count, time } from './shared.ts'

const condition = {
  type: 'object',
  required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
  properties: {
    type: {
      type: 'string',
      maxLength: 316,
      pattern:
        '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      description: 'What it is about, such as Ready.',
    },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'], description: 'Whether it is so.' },
    observedGeneration: {
      type: 'integer',
      format: 'int64',
      minimum: 0,
      description: 'The generation of the spec that was looked at.',
    },
    lastTransitionTime: { ...time, description: 'Since when.' },
    reason: {
      type: 'string',
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
      description: 'Why, in one word.',
    },
    message: { type: 'string', maxLength: 32_768, description: 'Why, and what happens next, in a sentence.' },
  },
} as const satisfies Schema

/** On every kind. */
export const commonStatus = {
  observedGeneration: {
    type: 'integer',
    format: 'int64',
    description: 'The generation of the spec that this status speaks about.',
  },
  conditions: {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
    items: condition,
    description: 'What is so, since when, and why: Ready, and Reconciling or Stalled while it is not.',
  },
} as const satisfies Readonly<Record<string, Schema>>

/** Counters of a workload that has a fixed number of equal pods. */
export const replicaStatus = {
  replicas: { ...count, description: 'Pods that exist.' },
  readyReplicas: { ...count, description: 'Pods that are ready.' },
  selector: { type: 'string', description: 'The labels of the pods, for autoscalers.' },
} as const satisfies Readonly<Record<string, Schema>>

/** What Slurm last said about the whole cluster. */
export const slurmFacts = {
  type: 'object',
  description: 'What Slurm last said. It stays when Slurm is silent: see lastContactTime.',
  properties: {
    clusterName: { type: 'string', description: 'The ClusterName of slurm.conf.' },
    version: { type: 'string', description: 'The version of Slurm.' },
    apiVersion: { type: 'string', description: 'The version of the REST API that is spoken, such as v0.0.44.' },
    lastContactTime: { ...time, description: 'When Slurm last answered.' },
    nodes: {
      type: 'object',
      description: 'Slurm nodes.',
      properties: {
        total: { ...count, description: 'All.' },
        allocated: { ...count, description: 'Those that run jobs (allocated, mixed, completing).' },
        idle: { ...count, description: 'Those that are free.' },
        other: { ...count, description: 'All others, such as down or drained ones.' },
        summary: { type: 'string', description: 'Allocated/idle/other/total, as sinfo prints it.' },
        states: {
          type: 'object',
          additionalProperties: count,
          description: 'How many nodes are in each state; a node with flags such as DRAIN counts for each of them.',
        },
      },
    },
    jobs: {
      type: 'object',
      description: 'Jobs.',
      properties: {
        running: { ...count, description: 'Those that run.' },
        pending: { ...count, description: 'Those that wait.' },
      },
    },
  },
} as const satisfies Schema
