import { applyContract } from './apply-contract.ts'
import { cacheContract } from './cache-contract.ts'
import { electionContract } from './election-contract.ts'
import type { GetServer } from './gen.ts'
import { portContract } from './port-contract.ts'
import { refusalContract } from './refusal-contract.ts'

/** Everything in this package that speaks with a server. The suite that makes the server forget comes last. */
export function contractSuites(getServer: GetServer): void {
  applyContract(getServer)
  portContract(getServer)
  refusalContract(getServer)
  electionContract(getServer)
  cacheContract(getServer)
}
