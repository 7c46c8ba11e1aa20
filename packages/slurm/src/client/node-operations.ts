import { writeSortedHostlist } from '../hostlist/write.ts'
import type { SlurmNode } from '../model/node.ts'
import { writeBounded } from '../values/no-value.ts'
import { inBatches, type BatchResult } from './batch.ts'
import { findOne, listAll, reader, type Listing, type ListOptions } from './listing.ts'
import { RecordMemory } from './record-memory.ts'
import type { Caller, SlurmRequest } from './request.ts'
import { INVALID_NODE_NAME } from './slurm-error-numbers.ts'

/** The states that can be asked for. What a node then is, is Slurm's business. */
export type WantedNodeState = 'DRAIN' | 'UNDRAIN' | 'RESUME' | 'IDLE' | 'DOWN' | 'FAIL' | 'POWER_UP' | 'POWER_DOWN'

/** What to change about nodes; what is not named stays as it is. */
export interface NodeUpdate {
  readonly state?: WantedNodeState
  readonly reason?: string
  readonly comment?: string
  readonly extra?: string
  readonly features?: readonly string[]
  readonly activeFeatures?: readonly string[]
  /** Needs v0.0.43: older daemons ignore it without a word, so we refuse. */
  readonly topology?: string
  readonly weight?: number
  readonly gres?: string
}

/** Everything that can be done about nodes. */
export interface NodeOperations {
  /** The only answer with true allocation data. */
  listNodes(options?: ListOptions): Promise<Listing<SlurmNode>>
  /** One node, for display: its allocation is out of date until somebody lists all nodes. Never decide on it. */
  findNode(name: string): Promise<SlurmNode | undefined>
  updateNode(name: string, update: NodeUpdate): Promise<void>
  /** The same change for many, in one request if Slurm lets us. */
  updateNodes(names: readonly string[], update: NodeUpdate): Promise<BatchResult>
  deleteNode(name: string): Promise<void>
  deleteNodes(names: readonly string[]): Promise<BatchResult>
  /** Add records as slurm.conf would: `NodeName=x CPUs=4 State=CLOUD`. Needs v0.0.44. */
  createNodes(line: string): Promise<void>
}

const nodeReader = reader<SlurmNode>('nodes', 'nodes')
const NAMES_PER_UPDATE = 1000
/** They travel in the path, as a hostlist; so many characters of it are safe everywhere. */
const LONGEST_HOSTLIST = 4000
const known = { notFoundNumbers: [INVALID_NODE_NAME] } as const

/** Node operations through any caller. */
export function nodeOperations(caller: Caller): NodeOperations {
  const listReader = { ...nodeReader, memory: new RecordMemory<SlurmNode>() }
  const order = async (request: SlurmRequest): Promise<void> => {
    await caller.call(request)
  }
  const updateNode = async (name: string, update: NodeUpdate): Promise<void> =>
    order({ method: 'POST', path: nodePath(name), ...updateRequest(update), ...known })
  const deleteNode = async (name: string): Promise<void> => order({ method: 'DELETE', path: nodePath(name), ...known })

  return {
    listNodes: (options) => listAll(caller, '/nodes/', listReader, options),
    findNode: async (name) => findOne(caller, { method: 'GET', path: nodePath(name), ...known }, nodeReader),
    updateNode,
    updateNodes: (names, update) =>
      inBatches({
        names,
        perRequest: NAMES_PER_UPDATE,
        request: 'POST /nodes/',
        one: (name) => updateNode(name, update),
        many: (group) => order({ method: 'POST', path: '/nodes/', ...updateRequest(update, group), ...known }),
      }),
    deleteNode,
    deleteNodes: (names) =>
      inBatches({
        names,
        perRequest: namesPerDelete(names),
        request: 'DELETE /node/',
        one: deleteNode,
        many: (group) => deleteNode(writeSortedHostlist(group)),
      }),
    createNodes: (line) => order({ method: 'POST', path: '/new/node/', body: { node_conf: line }, needs: 'v0.0.44' }),
  }
}

function nodePath(name: string): string {
  if (name === '') throw new Error('Cannot name a Slurm node: the name is empty.') // it would be the path of all nodes
  return `/node/${encodeURIComponent(name)}`
}

/** One request for all, because each of them costs slurmctld a walk over all nodes; fewer if the names do not fold. */
function namesPerDelete(names: readonly string[]): number {
  const length = writeSortedHostlist(names).length
  return Math.max(1, Math.floor(names.length / Math.ceil(length / LONGEST_HOSTLIST)))
}

function updateRequest(update: NodeUpdate, names?: readonly string[]): Pick<SlurmRequest, 'body' | 'needs'> {
  const { state, activeFeatures, topology, weight, ...plain } = update
  const body = {
    ...plain,
    ...(names && { name: names }),
    ...(state !== undefined && { state: [state] }), // two values at once are refused
    ...(activeFeatures && { features_act: activeFeatures }),
    ...(topology !== undefined && { topology_str: topology }),
    ...(weight !== undefined && { weight: writeBounded(weight) }),
  }
  return { body, ...(topology !== undefined && { needs: 'v0.0.43' as const }) }
}
