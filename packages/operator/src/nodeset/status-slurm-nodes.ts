/**
 * Workers whose pods are fine and whose Slurm nodes take no jobs. A node that is DOWN is missing, whatever its pod says;
 * one that somebody has drained is where that person wants it, and is only mentioned.
 *
 * While Slurm is silent its last words count, or those that the pod remembers.
 *
 * @module
 */
import { podStateCondition } from '@slurm-operator/api'
import type { ObjectState } from '@slurm-operator/runtime'
import {
  isDrain,
  isOurReason,
  isRefusalOnly,
  isRefusedNoMore,
  isUnresponsive,
  lastSeen,
  seen,
  type SlurmNode,
} from '@slurm-operator/slurm'
import { counted } from '../reasons/counted.ts'
import { stateOf } from '../reasons/reasons.ts'
import { shorten } from '../reasons/shorten.ts'
import type { Worker } from './picture.ts'

/** A Slurm node that takes no jobs, in Slurm's words. */
interface Outage {
  readonly slurmName: string
  readonly state: string
  readonly reason: string
  /** Neither Slurm nor we return it to service. */
  readonly needsPerson: boolean
}

/** States in which a node takes no jobs until somebody does something about it, and how pods remember them. */
const OUT_OF_SERVICE = [
  ['INVALID_REG', podStateCondition('InvalidReg')],
  ['FAIL', podStateCondition('Fail')],
  ['DOWN', podStateCondition('Down')],
  ['ERROR', podStateCondition('Error')],
] as const
const NOT_RESPONDING = podStateCondition('NotResponding')
/** A short silence of slurmd is no fault: slurmctld asks again. */
const SILENCE_MS = 2 * 60_000
const LONGEST_REASON = 200

/** See the module; undefined if every Slurm node can be used, as far as we know. */
export function whyOutOfService(workers: readonly Worker[], nowMs: number): ObjectState | undefined {
  const outages = workers.flatMap((worker) => findOutage(worker, nowMs) ?? [])
  const worst = outages.find(({ needsPerson }) => needsPerson) ?? outages[0]
  if (worst === undefined) return undefined
  const { slurmName, state, reason, needsPerson } = worst
  const others = outages.length === 1 ? '' : `; ${countOthers(outages.length - 1)} out of service too`
  const because = `${slurmName} is ${state} in Slurm${inWords(reason)}${others}`
  return stateOf(needsPerson ? 'SlurmNodeDown' : 'SlurmNodeUnusable', because)
}

/** Who takes no new jobs because somebody wants it so; empty if nobody does. */
export function describeDrains(workers: readonly Worker[]): string {
  const drained = workers.filter(({ slurmNode }) => isDrain(slurmNode) === 'yes')
  const [first] = drained
  if (first === undefined) return ''
  const others = drained.length === 1 ? '' : `; ${countOthers(drained.length - 1)} drained too`
  return `${first.slurmName} is drained${inWords(lastSeen(first.slurmNode)?.reason)}${others}`
}

function findOutage(worker: Worker, nowMs: number): Outage | undefined {
  const { slurmName, slurmNode, conditions } = worker
  const node = lastSeen(slurmNode)
  if (node === undefined) return recall(worker)
  const { states, reason } = node
  const [state] = OUT_OF_SERVICE.find(([word]) => states.includes(word)) ?? []
  if (state !== undefined) return { slurmName, state, reason, needsPerson: isForeign(node, state) }
  // Slurm does not tell since when; our condition on the pod does.
  const sinceMs = conditions.find(({ type }) => type === NOT_RESPONDING)?.sinceMs
  const isSilent = states.includes('NOT_RESPONDING') && sinceMs !== undefined && nowMs - sinceMs >= SILENCE_MS
  return isSilent ? { slurmName, state: 'NOT_RESPONDING', reason, needsPerson: false } : undefined
}

/**
 * Slurm may return a node that was only silent, we return one that is DOWN by our own words or by those of a refusal that is
 * over, and one that Slurm refuses we make anew. Only people say FAIL, and we do not take it back.
 */
function isForeign(node: SlurmNode, state: string): boolean {
  if (state === 'INVALID_REG') return !isRefusalOnly(node)
  if (state === 'FAIL') return true
  const about = seen(node, 0)
  return !isOurReason(node.reason) && isUnresponsive(about) === 'no' && isRefusedNoMore(about) === 'no'
}

/** What the pod remembers, after a restart of ours while Slurm is silent. */
function recall({ slurmName, slurmNode, conditions }: Worker): Outage | undefined {
  if (slurmNode.kind !== 'unknown') return undefined
  const noted = OUT_OF_SERVICE.flatMap(([state, condition]) =>
    conditions.flatMap(({ type, message }) => (type === condition ? [{ state, reason: message }] : [])),
  )[0]
  return noted && { slurmName, ...noted, needsPerson: false }
}

function inWords(reason = ''): string {
  return reason === '' ? '' : `: ${shorten(reason, LONGEST_REASON)}`
}

function countOthers(others: number): string {
  return counted(others, 'other is', 'others are')
}
