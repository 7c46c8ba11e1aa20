import { applyOracle } from './apply-oracle.ts'
import { useSimulatedServer } from './gen.ts'

applyOracle(useSimulatedServer())
