import { describe, expect, test } from 'vitest'
import { findProxy } from './proxy-from-env.ts'

const HTTPS_PROXY = 'http://proxy:3128'
const found = (server: string, env: Record<string, string>) => findProxy(server, env)

describe('the proxy of the environment', () => {
  type Case = readonly [name: string, server: string, env: Record<string, string>, proxy: string | undefined]
  const proxies: readonly Case[] = [
    ['is used for https', 'https://api.example.com:6443', { HTTPS_PROXY }, HTTPS_PROXY],
    ['may be in small letters', 'https://api.example.com', { https_proxy: HTTPS_PROXY }, HTTPS_PROXY],
    [
      'in capitals counts first',
      'https://api.example.com',
      { HTTPS_PROXY, https_proxy: 'http://other:1' },
      HTTPS_PROXY,
    ],
    ['for http is another', 'http://api.example.com', { HTTP_PROXY: 'http://plain:1', HTTPS_PROXY }, 'http://plain:1'],
    ['for https is not the one for http', 'https://api.example.com', { HTTP_PROXY: 'http://plain:1' }, undefined],
    [
      'needs no scheme',
      'https://api.example.com',
      { HTTPS_PROXY: 'user:word@proxy:3128' },
      'http://user:word@proxy:3128',
    ],
    ['is not used for this machine', 'https://localhost:6443', { HTTPS_PROXY }, undefined],
    ['is not used for an address of this machine', 'https://127.8.0.1:6443', { HTTPS_PROXY }, undefined],
    ['is not used for ::1', 'https://[::1]:6443', { HTTPS_PROXY }, undefined],
    ['is not there', 'https://api.example.com', { HTTPS_PROXY: '' }, undefined],
  ]
  test.each(proxies)('%s', (_name, server, env, proxy) => expect(found(server, env)).toBe(proxy))

  const exceptions: readonly (readonly [server: string, exceptions: string, isExcepted: boolean])[] = [
    ['https://10.96.0.1:443', '10.96.0.1', true],
    ['https://10.96.0.1:443', '10.96.0.0/12', true],
    ['https://10.96.0.1:443', '10.128.0.0/12', false],
    ['https://10.96.0.1:443', ' other.com , 10.0.0.0/8', true],
    ['https://10.96.0.1:443', '10.96.0.10', false],
    ['https://[fd00::1]:443', 'fd00::/8', true],
    ['https://[fd00::1]:443', 'fd00::1', true],
    ['https://[fd00::1]:443', 'FD00:0:0::1', true],
    ['https://[fd00::1]:443', '[fd00::1]:443', true],
    ['https://[fd00::1]:443', '10.0.0.0/8', false],
    ['https://api.example.com', 'example.com', true],
    ['https://api.example.com', '.example.com', true],
    ['https://api.example.com', '*.example.com', true],
    ['https://API.example.com.', 'Example.Com', true],
    ['https://example.com', '.example.com', false],
    ['https://notexample.com', 'example.com', false],
    ['https://api.example.com:6443', 'example.com:6443', true],
    ['https://api.example.com:6443', 'example.com:443', false],
    ['https://api.example.com', 'example.com:443', true],
    ['https://api.example.com', '*', true],
    ['https://api.example.com', '', false],
    ['https://api.example.com', '10.0.0.0/99,/,x/8', false],
  ]
  test.each(exceptions)('to %s, with NO_PROXY=%s: excepted is %s', (server, noProxy, isExcepted) => {
    expect(found(server, { HTTPS_PROXY, NO_PROXY: noProxy }) === undefined).toBe(isExcepted)
    expect(found(server, { HTTPS_PROXY, no_proxy: noProxy }) === undefined).toBe(isExcepted)
  })

  test('of a kind that we cannot use is refused, and its password is not shown', () => {
    const use = () => found('https://api.example.com', { HTTPS_PROXY: 'socks5://me:secret@proxy:1080' })
    expect(use).toThrow('Only http:// and https:// proxies are supported')
    expect(use).not.toThrow('secret')
  })
})
