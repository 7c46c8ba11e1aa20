import { findProblems, printProblem, withoutUnknownKeys, type OurKind } from '@slurm-operator/api'
import type { KubeObject } from '@slurm-operator/kube'
import type { Kept, Specified } from '../world/trim.ts'
import type { Obstacle } from './room.ts'

/** A spec that can be worked with, and what in it cannot. */
export interface ReadSpec<T extends KubeObject> {
  /** Without keys that Kubernetes does not know: server-side apply would refuse the whole child because of one. */
  readonly object: Kept<T>
  readonly obstacles: readonly Obstacle[]
}

/** Objects in the cache never change, so each is looked at once. */
const known = new WeakMap<object, ReadSpec<KubeObject>>()

/**
 * Read an object that admission may not have seen. A value of the wrong type concerns this object alone: it is told, and
 * nothing of what runs is touched.
 */
export function readSpec<T extends KubeObject & Specified>(kind: OurKind, stored: Kept<T>): ReadSpec<T> {
  const before = known.get(stored)
  if (before !== undefined) return before as ReadSpec<T>
  const errors = findProblems(kind, stored).filter(({ severity }) => severity === 'error')
  const obstacles = errors.map((error): Obstacle => ({ reason: 'InvalidSpec', because: printProblem(error) }))
  const read = { object: withoutUnknownKeys(kind, stored), obstacles }
  known.set(stored, read)
  return read
}
