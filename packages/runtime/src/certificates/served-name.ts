import { isIPv4, isIPv6 } from 'node:net'
import * as der from './der.ts'

/** One form for each name, so that two spellings of one address or host compare equal. */
export function canonicalName(name: string): string {
  return isIPv6(name) ? new URL(`http://[${withoutZone(name)}]`).hostname.slice(1, -1) : name.toLowerCase()
}

/** A name or an address as a certificate's list of alternative names holds it. */
export function encodeServedName(name: string): Buffer {
  if (isIPv4(name)) return der.implicit(7, Buffer.from(name.split('.').map(Number)))
  if (isIPv6(name)) return der.implicit(7, ipv6Bytes(name))
  if (!/^(\*\.)?[A-Za-z0-9_]([A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?$/.test(name)) {
    throw new Error(
      `Cannot put ${JSON.stringify(name)} into a certificate: it is neither a DNS name nor an IP address. Give one of these.`,
    )
  }
  return der.implicit(2, Buffer.from(name, 'ascii'))
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = canonicalName(address).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  const left = groups(head)
  const right = groups(tail ?? '')
  const bytes = Buffer.alloc(16)
  for (const [index, value] of left.entries()) bytes.writeUInt16BE(value, index * 2)
  for (const [index, value] of right.entries()) bytes.writeUInt16BE(value, 16 - (right.length - index) * 2)
  return bytes
}

function withoutZone(address: string): string {
  if (!address.includes('%')) return address
  throw new Error(`Cannot use ${address} in a certificate: a zone means something on one machine only. Leave it out.`)
}
