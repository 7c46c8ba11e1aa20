import { applyOracle } from './apply-oracle.ts'
import { useRealServer } from './gen.ts'

applyOracle(useRealServer())
