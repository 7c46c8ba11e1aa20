import { conditionTypes } from '@slurm-operator/api'
import { printTime, type WantedCondition } from '@slurm-operator/kube'
import type { ObjectState } from '@slurm-operator/runtime'
import type { ConnectionHealth } from '@slurm-operator/slurm'
import { stateOf } from '../reasons/reasons.ts'

/** How it is with a connection, in words for people that hold no time that moves. None: nothing leads to Slurm yet. */
export function judgeConnection(health: ConnectionHealth | undefined): ObjectState {
  if (health === undefined) return stateOf('NoConnection', NOTHING_LEADS_THERE)
  const { state, sinceMs, lastError, slurmVersion, apiVersion, activeController } = health
  const since = printTime(sinceMs)
  switch (state) {
    case 'connecting':
      return stateOf('Connecting', 'slurmrestd has not answered yet.')
    case 'reachable': {
      const inCharge = activeController === undefined ? '' : ` ${activeController} is in charge.`
      return stateOf('Ready', `Slurm ${slurmVersion ?? ''} answers (REST ${apiVersion ?? ''}).${inCharge}`)
    }
    case 'unreachable':
      return stateOf('SlurmUnreachable', `No answer since ${since}: ${lastError?.message ?? ''}`)
    case 'refused':
      return stateOf('SlurmRefused', `Refused since ${since}: ${lastError?.message ?? ''}`)
  }
}

/** There is no connection, and what would make one. */
export const NOTHING_LEADS_THERE =
  'Nothing leads to slurmrestd: it takes a RestApi that refers to the Controller, or a Cluster with a server.'

/** The condition that says whether Slurm answers us. Not to know is neither yes nor no. */
export function slurmReachable(health: ConnectionHealth | undefined, observedGeneration: number): WantedCondition {
  const { kind, reason, because } = judgeConnection(health)
  const isKnown = health !== undefined && health.state !== 'connecting'
  const status = !isKnown ? 'Unknown' : kind === 'ready' ? 'True' : 'False'
  return { type: conditionTypes.slurmReachable, observedGeneration, status, reason, message: because }
}
