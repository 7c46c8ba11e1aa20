import type { NodeUpdate } from '../client/node-operations.ts'
import { seen } from '../knowledge.ts'
import type { SlurmNode } from '../model/node.ts'
import type { NodeStateWord } from '../states/node-state-words.ts'
import { isDown, isInMotion } from '../states/node-states.ts'
import { sameFieldsBut } from './same-fields.ts'
import type { RecordKind } from './sightings.ts'
import type { WriteEffect } from './writes.ts'

/** Slurm nodes: all of them stay until somebody deletes them. */
export const nodeKind: RecordKind<SlurmNode> = {
  nameOf: ({ name }) => name,
  isSame: sameFieldsBut<SlurmNode>('freeMemoryMib', 'lastBusyAtMs'), // they change with every look and wake nobody
  isLasting: () => true,
}

/** What a look at one node shows as it was at the last list. */
const outdatedAlone = ['allocatedCpus', 'allocatedMemoryMib', 'gresUsed', 'tresUsed'] as const
const isSameAlone = sameFieldsBut<SlurmNode>('states', 'freeMemoryMib', 'lastBusyAtMs', ...outdatedAlone)

/** Does a look at one node show nothing new? Both are of the same node. */
export function isSameAtAGlance(listed: SlurmNode, found: SlurmNode): boolean {
  return hasSameStates(listed, found) && isSameAlone(listed, found)
}

/**
 * What a look at one node does to what we know. Its state is only a hint, since such a look does not count what is in
 * use: until the next list the node is unknown. Other fields are as they should be.
 */
export function glimpseEffect(
  listed: SlurmNode | undefined,
  found: SlurmNode | undefined,
): WriteEffect<SlurmNode> | undefined {
  if (!found) return listed && { kind: 'delete' }
  if (!listed) return { kind: 'create', record: found }
  if (isSameAtAGlance(listed, found)) return undefined
  const fold = (node: SlurmNode): SlurmNode => ({ ...found, ...pick(node, outdatedAlone) })
  return { kind: 'change', fold, touchesState: !hasSameStates(listed, found) }
}

function hasSameStates(one: SlurmNode, other: SlurmNode): boolean {
  return one.states.length === other.states.length && one.states.every((word) => other.states.includes(word))
}

function pick<T, Field extends keyof T>(record: T, fields: readonly Field[]): Pick<T, Field> {
  return Object.fromEntries(fields.map((field) => [field, record[field]])) as Pick<T, Field>
}

/** Will it change soon by itself? A node that is down will not. */
export function isNodeInMotion(node: SlurmNode): boolean {
  const known = seen(node, 0)
  return isInMotion(known) === 'yes' && isDown(known) !== 'yes'
}

/** What an update does to the record. */
export function nodeUpdateEffect(update: NodeUpdate): WriteEffect<SlurmNode> {
  return { kind: 'change', fold: (node) => foldUpdate(node, update), touchesState: update.state !== undefined }
}

function foldUpdate(node: SlurmNode, update: NodeUpdate): SlurmNode {
  const { state, ...fields } = update
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return { ...node, ...given, ...(state !== undefined && { states: foldState(node.states, state) }) }
}

/** As good a guess as any, for display until the next list. */
function foldState(
  states: readonly NodeStateWord[],
  wanted: NonNullable<NodeUpdate['state']>,
): readonly NodeStateWord[] {
  const without = states.filter((word) => word !== wanted && word !== 'DRAIN' && word !== 'UNDRAIN')
  switch (wanted) {
    case 'DRAIN':
      return [...without, 'DRAIN']
    case 'UNDRAIN':
    case 'RESUME':
    case 'IDLE':
      return without
    default:
      return [...states.filter((word) => word !== wanted), wanted]
  }
}
