import { connect } from 'node:tls'

const REACH_TIMEOUT_MS = 5000

/**
 * For a readiness check: why the own port cannot be reached with TLS, or undefined if it can. Who we are is not asked:
 * it is our own port, and the certificate does not name it.
 */
export async function whyNotReached(port: number, host = '127.0.0.1'): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const socket = connect({ host, port, rejectUnauthorized: false, timeout: REACH_TIMEOUT_MS })
  socket.once('secureConnect', () => resolve(undefined))
  socket.once('timeout', () => resolve(`the webhook server did not shake hands within ${REACH_TIMEOUT_MS / 1000} s`))
  socket.once('error', (error) => resolve(`the webhook server cannot be reached: ${error.message}`))
  const why = await promise
  socket.destroy()
  return why
}
