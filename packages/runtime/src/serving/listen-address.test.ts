import { expect, test } from 'vitest'
import { parseListenAddress, printListenAddress } from './listen-address.ts'

const good = [
  [':8081', { port: 8081 }],
  ['localhost:6060', { host: 'localhost', port: 6060 }],
  ['0.0.0.0:1', { host: '0.0.0.0', port: 1 }],
  ['[::1]:9443', { host: '::1', port: 9443 }],
  ['[::]:0', { host: '::', port: 0 }],
] as const

test.each(good)('%s means another address', (text, address) => {
  expect(parseListenAddress(text)).toEqual(address)
  expect(printListenAddress(address)).toBe(text)
})

test.each(['0', ''])('%j does not switch a server off', (text) => expect(parseListenAddress(text)).toBe('off'))

test.each(['8080', ':http', ':65536', ':-1', '::1:80', 'a:b:1', ':8080 ', 'x:', ':1e3'])(
  '%j is taken for an address',
  (text) => {
    expect(() => parseListenAddress(text)).toThrow(/^Cannot listen on .* Give host:port/)
  },
)
