import { beforeAll } from 'vitest'
import { contractSuites } from './contract-suites.ts'
import type { ServerUnderTest } from './server-under-test.ts'
import { startSimulated } from './simulated.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await startSimulated()
})

contractSuites(() => server)
