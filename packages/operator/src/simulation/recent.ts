/**
 * What users have wanted lately. News takes its time, so for a while an operator may still act on what was wanted before.
 *
 * @module
 */
import { nodeSetResource, withNodeSetDefaults, type NodeSet, type NodeSetWithDefaults } from '@slurm-operator/api'
import { NAMESPACE } from './objects.ts'
import type { SimulatedCluster } from './simulated-cluster.ts'

/** How late news may be: the longest delay of a watch, a cut after it, and a pass; and where no watch is ever late, a pass. */
export const LATE_MS = { troubled: 120_000, sound: 5_000 }

/** Whether something may go wrong between the operator and the API server. */
export type Way = keyof typeof LATE_MS

/** See the module. */
export interface Recent {
  /** All that one NodeSet has been lately, the newest last. `undefined` in it: it did not exist. */
  readonly of: (name: string) => readonly (NodeSetWithDefaults | undefined)[]
}

interface Version {
  readonly untilMs: number
  readonly nodeSet: NodeSetWithDefaults | undefined
}

/** Begin to write down. */
export function followSpecs({ server, world }: SimulatedCluster, way: Way): Recent {
  const past = new Map<string, Version[]>()
  const present = new Map<string, NodeSetWithDefaults | undefined>()
  const now = world.clock.monotonic
  server.listen(({ storage, type, object, before }) => {
    if (!storage.endsWith('/nodesets')) return
    const { name } = object.metadata
    if (!present.has(name) && before !== undefined) present.set(name, defaulted(before))
    if (present.has(name)) past.set(name, [...(past.get(name) ?? []), { untilMs: now(), nodeSet: present.get(name) }])
    present.set(name, type === 'DELETED' ? undefined : defaulted(object))
  })
  const find = (name: string): NodeSetWithDefaults | undefined => {
    const stored = server.find(nodeSetResource, { namespace: NAMESPACE, name })
    return stored === undefined ? undefined : defaulted(stored)
  }
  return {
    of: (name) => {
      const kept = (past.get(name) ?? []).filter(({ untilMs }) => untilMs >= now() - LATE_MS[way])
      past.set(name, kept)
      return [...kept.map(({ nodeSet }) => nodeSet), find(name)]
    },
  }
}

function defaulted(object: unknown): NodeSetWithDefaults {
  return withNodeSetDefaults(object as NodeSet)
}
