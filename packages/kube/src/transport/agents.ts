import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { getCACertificates } from 'node:tls'
import type { TlsMaterial } from '../config/credentials.ts'

/** Where connections go, and how the other side is recognised. */
export interface Target {
  readonly server: URL
  readonly serverName: string | undefined
  readonly skipTlsVerify: boolean
  readonly proxyUrl: string | undefined
  /** Connections for calls at the same time; watches have one each. */
  readonly maxConnections: number
}

/** The kept-alive connections to one server. Watches have their own, so that they never wait for calls or block them. */
export interface Agents {
  readonly call: HttpAgent
  readonly watch: HttpAgent
}

const IDLE_MS = 60_000 // API servers close a silent connection after 90 s: we must be first
const SOME = 8

/** Connections that are made with the same certificates. */
export function createAgents(target: Target, tls: TlsMaterial): Agents {
  const create = (maxSockets: number) => {
    const options = {
      ...{ keepAlive: true, timeout: IDLE_MS, maxSockets, maxFreeSockets: SOME },
      ...(target.proxyUrl !== undefined && { proxyEnv: { HTTP_PROXY: target.proxyUrl, HTTPS_PROXY: target.proxyUrl } }),
    }
    return target.server.protocol === 'http:'
      ? new HttpAgent(options)
      : new HttpsAgent({ ...options, ...tlsOptions(target, tls) })
  }
  return { call: create(target.maxConnections), watch: create(Number.POSITIVE_INFINITY) }
}

/** Close what is idle now; what is in use is closed when its request is done. */
export function retireAgents({ call, watch }: Agents): void {
  for (const agent of [call, watch]) {
    agent.maxFreeSockets = 0
    for (const sockets of Object.values(agent.freeSockets)) sockets?.forEach((socket) => socket.destroy())
  }
}

function tlsOptions({ serverName, skipTlsVerify }: Target, { authority, certificate, key }: TlsMaterial) {
  return {
    ca: authority ?? trustedByTheMachine(),
    rejectUnauthorized: !skipTlsVerify,
    ...(serverName !== undefined && { servername: serverName }),
    ...(certificate !== undefined && key !== undefined && { cert: certificate, key }),
  }
}

/** Node brings its own list; companies add theirs to the machine's. */
function trustedByTheMachine(): string[] {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])]
}
