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
