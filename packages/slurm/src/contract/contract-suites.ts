import { clusterContract } from './cluster-contract.ts'
import { jobContract } from './job-contract.ts'
import { nodeContract } from './node-contract.ts'
import { outageContract } from './outage-contract.ts'
import { reservationContract } from './reservation-contract.ts'
import type { GetSlurm } from './slurm-under-test.ts'
import { tokenContract } from './token-contract.ts'
import { upgradeContract } from './upgrade-contract.ts'

/** Everything that a Slurm must do, registered as tests. The one that changes the signing key comes last. */
export function contractSuites(get: GetSlurm): void {
  clusterContract(get)
  nodeContract(get)
  jobContract(get)
  reservationContract(get)
  outageContract(get)
  upgradeContract(get)
  tokenContract(get)
}
