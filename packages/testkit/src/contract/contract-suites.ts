import { applyContract } from './apply-contract.ts'
import { builtInContract } from './built-in-contract.ts'
import { crudContract } from './crud-contract.ts'
import { customKindContract } from './custom-kind-contract.ts'
import { deletionContract } from './deletion-contract.ts'
import { listContract } from './list-contract.ts'
import { patchContract } from './patch-contract.ts'
import type { GetServer } from './server-under-test.ts'
import { watchContract } from './watch-contract.ts'

/** Everything that a server must do, registered as tests. The one that makes it forget comes last. */
export function contractSuites(getServer: GetServer): void {
  crudContract(getServer)
  patchContract(getServer)
  applyContract(getServer)
  listContract(getServer)
  deletionContract(getServer)
  customKindContract(getServer)
  builtInContract(getServer)
  watchContract(getServer)
}
