import { createApiServer } from '../api-server/api-server.ts'
import { createVirtualClock } from '../clock/virtual-clock.ts'
import type { ServerUnderTest } from './server-under-test.ts'

/** The simulated server, on a virtual clock. */
export async function startSimulated(): Promise<ServerUnderTest> {
  const clock = createVirtualClock()
  const { transport, compact } = await createApiServer({ clock })
  return { transport, clock, wait: clock.drive, compact: () => Promise.resolve(compact()) }
}
