/**
 * How many workers may be unavailable at a time, and how many are.
 *
 * @module
 */
import { IntOrStringError, resolveIntOrPercent, type IntOrString } from '@slurm-operator/kube'
import type { Wanted, Worker } from './picture.ts'

/** For strategies that do not name a number. */
const DEFAULT_MAX_UNAVAILABLE = '25%'

/** How many of `desired` workers may be unavailable: a share is rounded up, and what cannot be read counts as one. */
export function allowedUnavailable({ updateStrategy }: Pick<Wanted, 'updateStrategy'>, desired: number): number {
  if (desired === 0) return 0
  const value = updateStrategy.type === 'RollingUpdate' ? updateStrategy.maxUnavailable : DEFAULT_MAX_UNAVAILABLE
  return Math.max(1, resolve(value, desired))
}

function resolve(value: IntOrString, desired: number): number {
  try {
    return resolveIntOrPercent(value, desired, 'up')
  } catch (error) {
    if (error instanceof IntOrStringError) return 1
    throw error
  }
}

/** Running, Ready and not on its way out. */
export function isHealthy({ phase, readySinceMs, terminating }: Worker): boolean {
  return phase === 'Running' && readySinceMs !== undefined && !terminating
}

/** Healthy for `minReadySeconds`; if the kubelet did not say since when, only 0 seconds are sure. */
export function isAvailable(worker: Worker, minReadySeconds: number, nowMs: number): boolean {
  if (!isHealthy(worker)) return false
  if (minReadySeconds <= 0) return true
  return typeof worker.readySinceMs === 'number' && nowMs - worker.readySinceMs >= minReadySeconds * 1000
}
