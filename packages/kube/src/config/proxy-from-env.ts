import { BlockList, isIP, isIPv4 } from 'node:net'
import { misconfigured } from './misconfigured.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * The proxy that the environment wants for a server, by the rules of kubectl: `HTTPS_PROXY` or `HTTP_PROXY` after the
 * scheme of the server, unless `NO_PROXY` names it; never for this machine itself. Small letters count, too.
 */
export function findProxy(server: string, env: Env): string | undefined {
  const { protocol, hostname, port } = new URL(server)
  const isSecure = protocol === 'https:'
  const proxy = isSecure ? valueOf(env, 'HTTPS_PROXY') : valueOf(env, 'HTTP_PROXY')
  const host = bareHost(hostname)
  if (proxy === '' || isThisMachine(host)) return undefined
  const serverPort = port === '' ? (isSecure ? '443' : '80') : port
  const exceptions = valueOf(env, 'NO_PROXY').split(',')
  return exceptions.some((one) => isExcepted(one.trim().toLowerCase(), host, serverPort)) ? undefined : readProxy(proxy)
}

function valueOf(env: Env, name: string): string {
  return env[name] || env[name.toLowerCase()] || ''
}

/** In lower case, without the brackets of an IPv6 address and without the dot of a complete name. */
function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))
}

/** `*`, an address, a range of addresses, a domain with all below it (`.domain`: only those below); perhaps with a port. */
function isExcepted(exception: string, host: string, port: string): boolean {
  if (exception === '' || exception === '*') return exception === '*'
  if (exception.includes('/')) return isInRange(exception, host)
  const { name, wantedPort } = splitPort(exception)
  if (wantedPort !== undefined && wantedPort !== port) return false
  if (isIP(name) !== 0) return isInRange(`${name}/${isIPv4(name) ? 32 : 128}`, host)
  const below = name.replace(/^\*?\./, '.')
  return below.startsWith('.') ? host.endsWith(below) : host === below || host.endsWith(`.${below}`)
}

function splitPort(exception: string): { readonly name: string; readonly wantedPort: string | undefined } {
  if (isIP(exception) !== 0) return { name: exception, wantedPort: undefined } // the colons of an IPv6 address
  const [, name = exception, wantedPort] = /^(.*):(\d+)$/.exec(exception) ?? []
  return { name: bareHost(name), wantedPort }
}

function isInRange(range: string, host: string): boolean {
  const [address = '', bits = ''] = range.split('/')
  const [family, hostFamily] = [isIP(address), isIP(host)]
  if (family === 0 || family !== hostFamily || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128))
    return false
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(address, Number(bits), kind)
  return list.check(host, kind)
}

/** A proxy without a scheme is an http one. */
function readProxy(proxy: string): string {
  const url = proxy.includes('://') ? proxy : `http://${proxy}`
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url
  const hint = 'Only http:// and https:// proxies are supported. Change it, or name the server in NO_PROXY.'
  throw misconfigured('use the proxy of the environment', `HTTPS_PROXY or HTTP_PROXY holds something else. ${hint}`)
}
