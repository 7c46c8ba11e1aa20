import { contractSuites } from './contract-suites.ts'
import { useRealServer } from './gen.ts'

contractSuites(useRealServer())
