import type { SlurmFacts } from '@slurm-operator/api'
import { printTime } from '@slurm-operator/kube'
import { seen, unknown, type ConnectionHealth, type SlurmConnection } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { describeSlurm } from './slurm-facts.ts'

const NOW = Date.parse('2026-06-01T12:00:00Z')
const minutesAgo = (minutes: number) => NOW - minutes * 60_000

function aConnection(health: Partial<ConnectionHealth> = {}, nodes?: readonly string[][], jobs?: readonly string[]) {
  const whole: ConnectionHealth = {
    ...{
      state: 'reachable',
      sinceMs: minutesAgo(90),
      lastContactMs: NOW,
      lastError: undefined,
      endpoints: [],
      controllers: [],
    },
    ...{ slurmVersion: '26.05.5', apiVersion: 'v0.0.45', clusterName: 'prod', activeController: 'prod-controller-0' },
    ...health,
  }
  const view = {
    nodes: () =>
      nodes
        ? seen(
            nodes.map((states) => ({ states })),
            NOW,
          )
        : unknown('unreachable'),
    jobs: () =>
      jobs
        ? seen(
            jobs.map((state) => ({ states: [state] })),
            NOW,
          )
        : unknown('unreachable'),
  }
  return { health: () => whole, view } as unknown as Pick<SlurmConnection, 'health' | 'view'>
}

describe('what a status tells of Slurm', () => {
  test('counts differ from those of sinfo', () => {
    const nodes = [
      ['IDLE'],
      ['IDLE', 'DRAIN'],
      ['ALLOCATED'],
      ['MIXED', 'DRAIN'],
      ['DOWN', 'NOT_RESPONDING'],
      ['IDLE', 'COMPLETING'],
    ]
    const facts = describeSlurm(aConnection({}, nodes, ['RUNNING', 'PENDING', 'PENDING', 'COMPLETED']), undefined, NOW)
    expect(facts).toMatchObject({
      version: '26.05.5',
      nodes: { total: 6, allocated: 3, idle: 1, other: 2, summary: '3/1/2/6', states: { DRAIN: 2, IDLE: 3 } },
      jobs: { running: 1, pending: 2 },
    })
  })

  test('the status is written with every poll', () => {
    const before = describeSlurm(aConnection({ lastContactMs: minutesAgo(50) }), undefined, minutesAgo(50))
    expect(describeSlurm(aConnection(), before, NOW)).toEqual(before)
  })

  test('an hour later the last contact is still the old one', () => {
    const before: SlurmFacts = { lastContactTime: printTime(minutesAgo(61)) }
    expect(describeSlurm(aConnection(), before, NOW)?.lastContactTime).toBe(printTime(NOW))
  })

  test('after a silence nobody knows since when', () => {
    const before: SlurmFacts = { lastContactTime: printTime(minutesAgo(30)), version: '26.05.5' }
    const facts = describeSlurm(aConnection({ state: 'unreachable', lastContactMs: minutesAgo(2) }), before, NOW)
    expect(facts?.lastContactTime).toBe(printTime(minutesAgo(2)))
  })

  test('a restarted operator forgets what Slurm last said', () => {
    const before: SlurmFacts = { version: '26.05.5', jobs: { running: 3, pending: 0 } }
    expect(describeSlurm(undefined, before, NOW)).toBe(before)
    const nothing = { slurmVersion: undefined, lastContactMs: undefined, state: 'connecting' } as const
    expect(describeSlurm(aConnection(nothing), before, NOW)).toMatchObject(before)
  })
})
