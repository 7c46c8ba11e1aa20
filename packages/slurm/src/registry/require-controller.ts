import type { Endpoint } from '../client/endpoint.ts'
import type { Daemon } from '../client/negotiate.ts'
import { pingRequest } from '../client/ping-request.ts'
import { requestName, type SlurmRequest } from '../client/request.ts'
import { isSlurmFailure, SlurmError } from '../errors.ts'

/** Short, because it takes 11 seconds to say that slurmctld is away, which is what we think already. */
const secondQuestion: SlurmRequest = { method: 'GET', path: '/diag/', timeoutMs: 3000 }

/**
 * Make sure that slurmctld answers behind a slurmrestd that does: ping says 200 in any case. Before v0.0.45 it does not
 * tell a refused token from a slurmctld that is away, and in no version a standby from one that has taken over, so there
 * another question must.
 */
export async function requireController(endpoint: Endpoint, { pings, version }: Daemon): Promise<void> {
  if (pings.some(({ responding, primary }) => responding && primary)) return
  const mayAnswer = version < 'v0.0.45' || pings.some(({ responding }) => responding)
  if (mayAnswer && (await answersAfterAll(endpoint))) return
  const status = pings.find((ping) => !ping.responding && ping.status !== '')?.status ?? 'no slurmctld answers'
  throw new SlurmError('unavailable', requestName(pingRequest), `slurmctld: ${status}`)
}

async function answersAfterAll(endpoint: Endpoint): Promise<boolean> {
  try {
    await endpoint.call(secondQuestion) // with a new token, if that was it
    return true
  } catch (error) {
    if (isSlurmFailure(error, 'unavailable')) return false
    throw error
  }
}
