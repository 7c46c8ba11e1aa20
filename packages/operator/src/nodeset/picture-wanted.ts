import { annotationKeys, YES, type NodeSetWithDefaults } from '@slurm-operator/api'
import { durationInMs, findTime, parseDuration } from '@slurm-operator/kube'
import type { Protection, UpdateStrategy, Wanted } from './picture.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60_000
const DEFAULT_DURATION_MINUTES = 30

/** What a NodeSet with its defaults asks for. Values that admission would refuse are bent, never fatal. */
export function readWanted(nodeSet: NodeSetWithDefaults): Wanted {
  const { metadata, spec } = nodeSet
  const { name, namespace, uid = '', generation = 0, annotations = {}, finalizers = [] } = metadata
  const hostname = spec.template?.spec?.hostname
  const retention = spec.persistentVolumeClaimRetentionPolicy
  return {
    ...{ name, namespace, uid, generation, finalizers },
    controllerName: spec.controllerRef.name ?? '',
    replicas: readReplicas(spec.replicas),
    scalingMode: spec.scalingMode,
    ordinalPadding: Math.max(0, spec.ordinalPadding),
    hostnamePrefix: typeof hostname === 'string' ? hostname.trim() : '',
    hostNetwork: spec.template?.spec?.hostNetwork === true,
    pinToNode: spec.pinToNode,
    sharesNodes: spec.oversubscribeNode,
    updateStrategy: readStrategy(spec.updateStrategy),
    minReadySeconds: Math.max(0, spec.minReadySeconds ?? 0),
    claimTemplates: (spec.volumeClaimTemplates ?? []).flatMap(({ metadata }) => metadata?.name ?? []),
    whenDeleted: retention.whenDeleted,
    whenScaled: retention.whenScaled,
    protects: readProtection(nodeSet),
    prunesRecords: spec.pruneSlurmNodeRecords === 'NodeNotFound',
    revisionHistoryLimit: Math.max(0, spec.revisionHistoryLimit),
    drainsOnDelete: annotations[annotationKeys.drainOnDelete] === YES,
    deletedAtMs: findTime(metadata.deletionTimestamp),
  }
}

function readProtection({ metadata, spec }: NodeSetWithDefaults): Protection {
  if (!spec.workloadDisruptionProtection) return 'nobody'
  return metadata.annotations?.[annotationKeys.protectUntilDrained] === YES ? 'until-drained' : 'who-runs-jobs'
}

/** What is no number asks for nothing: nobody is made, and nobody leaves. */
function readReplicas(replicas: unknown): number {
  return typeof replicas === 'number' ? Math.max(0, replicas) : Number.NaN
}

function readStrategy(strategy: NodeSetWithDefaults['spec']['updateStrategy']): UpdateStrategy {
  const { startTime, duration, flags } = strategy.scheduledUpdate ?? {}
  switch (strategy.type) {
    case 'OnDelete':
      return { type: 'OnDelete' }
    case 'RollingUpdate':
      return { type: 'RollingUpdate', maxUnavailable: strategy.rollingUpdate?.maxUnavailable ?? '25%' }
    case 'ScheduledUpdate': {
      const startsAtMs = findTime(startTime)
      if (startsAtMs === undefined) return { type: 'OnDelete' } // no time, no window: nothing is replaced by itself
      // Slurm and the status count whole seconds: with a fraction it would never be what was written.
      const wholeMs = Math.floor(startsAtMs / SECOND_MS) * SECOND_MS
      return {
        type: 'ScheduledUpdate',
        startsAtMs: wholeMs,
        durationInMinutes: readMinutes(duration),
        flags: flags ?? [],
      }
    }
    default:
      return { type: 'OnDelete' } // a word that means nothing replaces nobody
  }
}

function readMinutes(duration: string | undefined): number {
  if (duration === undefined) return DEFAULT_DURATION_MINUTES
  try {
    return Math.max(1, Math.floor(durationInMs(parseDuration(duration)) / MINUTE_MS))
  } catch {
    return DEFAULT_DURATION_MINUTES // admission refuses it; with admission off the default is better than no window
  }
}
