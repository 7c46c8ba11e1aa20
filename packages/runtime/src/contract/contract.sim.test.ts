import { contractSuites } from './contract-suites.ts'
import { useSimulatedServer } from './gen.ts'

contractSuites(useSimulatedServer())
