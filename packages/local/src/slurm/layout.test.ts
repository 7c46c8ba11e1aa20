import { describe, expect, test } from 'vitest'
import { addressOf, boxOf, hostsFile, hostsLine, workerName, type DaemonName } from './layout.ts'

const services: readonly DaemonName[] = ['mariadb', 'slurmdbd', 'slurmctld', 'slurmrestd']
const everybody = [...services, ...Array.from({ length: 1000 }, (_, index) => workerName(index + 1))]

describe('the layout prevents that', () => {
  test('two of a thousand workers share an address', () => {
    expect(new Set(everybody.map(addressOf)).size).toBe(everybody.length)
  })

  test('an address is none, because a part of it does not fit into a byte', () => {
    const parts = everybody.flatMap((name) => addressOf(name).split('.').map(Number))
    expect(parts.filter((part) => part < 0 || part > 254)).toEqual([])
  })

  test('a daemon does not find another because the hosts file misses its box', () => {
    for (const name of services) expect(hostsFile()).toContain(`\n${addressOf(name)} ${boxOf(name)}\n`)
    expect(hostsFile()).toMatch(/^127\.0\.0\.1 localhost\n/)
  })

  test('a new worker spoils the last line of the hosts file', () => {
    expect(`${hostsFile()}${hostsLine('worker-251')}`).toMatch(/\n10\.77\.2\.1 worker-251\n$/)
  })

  test('a wrong name becomes a strange address', () => {
    for (const name of ['worker-0', 'worker-1001', 'worker-1.5'] as const)
      expect(() => addressOf(name)).toThrow(`Cannot place ${name}`)
  })
})
