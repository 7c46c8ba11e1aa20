import { conditionTypes } from '@slurm-operator/api'
import { printTime, type WantedCondition } from '@slurm-operator/kube'
import type { ConnectionHealth, SlurmConnection } from '@slurm-operator/slurm'

/** The condition that says whether Slurm answers us. Its text holds no time that moves. */
export function slurmReachable(
  connection: Pick<SlurmConnection, 'health'> | undefined,
  observedGeneration: number,
): WantedCondition {
  return { type: conditionTypes.slurmReachable, observedGeneration, ...describe(connection?.health()) }
}

function describe(health: ConnectionHealth | undefined): Pick<WantedCondition, 'status' | 'reason' | 'message'> {
  if (health === undefined) {
    const message = 'Nothing leads to slurmrestd: there is no RestApi for this Controller and no Cluster of its name.'
    return { status: 'Unknown', reason: 'NoConnection', message }
  }
  const { state, sinceMs, lastError, slurmVersion, apiVersion } = health
  const since = printTime(sinceMs)
  switch (state) {
    case 'connecting':
      return { status: 'Unknown', reason: 'Connecting', message: 'slurmrestd has not answered yet.' }
    case 'reachable':
      return {
        status: 'True',
        reason: 'Reachable',
        message: `Slurm ${slurmVersion ?? ''} answers (${apiVersion ?? ''}).`,
      }
    case 'unreachable':
      return {
        status: 'False',
        reason: 'SlurmUnreachable',
        message: `No answer since ${since}: ${lastError?.message ?? ''}`,
      }
    case 'refused':
      return { status: 'False', reason: 'SlurmRefused', message: `Refused since ${since}: ${lastError?.message ?? ''}` }
  }
}
