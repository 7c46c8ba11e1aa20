import { isObject } from '../model/fields.ts'
import type { SlurmRequest } from './request.ts'
import type { Failure } from './why-failed.ts'

/** Ask slurmrestd whether slurmctld answers. Takes 2 seconds at most when it does not, unlike all other requests. */
export const pingRequest: SlurmRequest = {
  method: 'GET',
  path: '/ping/',
  timeoutMs: 5000,
  whyFailed: whyTokenRefused,
}

/** ping says 200 even when slurmctld did not accept the token (v0.0.45 tells us so in its status text). */
function whyTokenRefused(body: unknown): Failure | undefined {
  const pings = isObject(body) && Array.isArray(body['pings']) ? body['pings'].filter(isObject) : []
  for (const { responding, status } of pings) {
    const isRefusal = responding === false && typeof status === 'string' && /authentication/i.test(status)
    if (isRefusal) return { failure: 'unauthorized', detail: status }
  }
  return undefined
}
