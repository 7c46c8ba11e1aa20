import { conditionTypes } from '@slurm-operator/api'
import { printTime, type WantedCondition } from '@slurm-operator/kube'
import { lineOf } from '../reasons/reasons.ts'
import type { ConnectionHealth, SlurmConnection } from '@slurm-operator/slurm'

/** The condition that says whether Slurm answers us. Its text holds no time that moves. */
export function slurmReachable(
  connection: Pick<SlurmConnection, 'health'> | undefined,
  observedGeneration: number,
): WantedCondition {
  return { type: conditionTypes.slurmReachable, observedGeneration, ...describe(connection?.health()) }
}

/** Not to know is neither yes nor no. */
function describe(health: ConnectionHealth | undefined): ReturnType<typeof lineOf> {
  if (health === undefined) return { ...lineOf('NoConnection', NOTHING_LEADS_THERE), status: 'Unknown' }
  const { state, sinceMs, lastError, slurmVersion, apiVersion, activeController } = health
  const since = printTime(sinceMs)
  switch (state) {
    case 'connecting':
      return { ...lineOf('Connecting', 'slurmrestd has not answered yet.'), status: 'Unknown' }
    case 'reachable': {
      const inCharge = activeController === undefined ? '' : ` ${activeController} is in charge.`
      return lineOf('Ready', `Slurm ${slurmVersion ?? ''} answers (REST ${apiVersion ?? ''}).${inCharge}`)
    }
    case 'unreachable':
      return lineOf('SlurmUnreachable', `No answer since ${since}: ${lastError?.message ?? ''}`)
    case 'refused':
      return lineOf('SlurmRefused', `Refused since ${since}: ${lastError?.message ?? ''}`)
  }
}

const NOTHING_LEADS_THERE =
  'Nothing leads to slurmrestd: there is no RestApi for this Controller and no Cluster of its name.'
