import type { ConnectionHealth } from '@slurm-operator/slurm'
import type { Judgement } from '../component/room.ts'
import { stateOf } from '../reasons/reasons.ts'

/** How it is with a connection, in words for people. No connection: nothing leads to Slurm yet. */
export function judgeConnection(health: ConnectionHealth | undefined): Pick<Judgement, 'state'> {
  if (health === undefined) {
    return { state: stateOf('NoConnection', 'No RestApi leads to Slurm: create one that refers to the Controller.') }
  }
  const { state, slurmVersion, apiVersion, lastError } = health
  switch (state) {
    case 'reachable':
      return { state: stateOf('Ready', `Slurm ${slurmVersion ?? ''} answers (REST ${apiVersion ?? ''}).`) }
    case 'connecting':
      return { state: stateOf('Connecting', 'Slurm has not answered yet.') }
    case 'unreachable':
      return { state: stateOf('SlurmUnreachable', lastError?.message ?? 'Slurm does not answer.') }
    case 'refused':
      return { state: stateOf('SlurmRefused', lastError?.message ?? 'Slurm does not accept us.') }
  }
}
