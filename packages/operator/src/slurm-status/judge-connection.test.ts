import type { ConnectionHealth } from '@slurm-operator/slurm'
import { describe, expect, test } from 'vitest'
import { judgeConnection, slurmReachable } from './judge-connection.ts'

const SINCE = Date.parse('2026-06-01T10:30:00Z')
const health = (more: Partial<ConnectionHealth>): ConnectionHealth => ({
  ...{ state: 'reachable', sinceMs: SINCE, lastContactMs: SINCE, lastError: undefined, endpoints: [], controllers: [] },
  ...{ slurmVersion: '26.05.5', apiVersion: 'v0.0.45', clusterName: 'prod', activeController: undefined },
  ...more,
})
const lastError = { failure: 'unavailable', message: 'Cannot GET /ping/: no answer', atMs: SINCE } as const

const accidents: readonly {
  readonly name: string
  readonly health: ConnectionHealth | undefined
  readonly status: string
  readonly reason: string
  readonly because: string
}[] = [
  {
    name: 'that there is no connection is an alarm, and nobody learns what it takes',
    health: undefined,
    ...{ status: 'Unknown', reason: 'NoConnection', because: 'a RestApi that refers to the Controller' },
  },
  {
    name: 'a connection that begins is an alarm',
    health: health({ state: 'connecting' }),
    ...{ status: 'Unknown', reason: 'Connecting', because: 'has not answered yet' },
  },
  {
    name: 'nobody learns that all is well, and who is in charge',
    health: health({ activeController: 'prod-controller-1' }),
    ...{ status: 'True', reason: 'Ready', because: 'Slurm 26.05.5 answers (REST v0.0.45). prod-controller-1 is in' },
  },
  {
    name: 'silence is not told, or not since when',
    health: health({ state: 'unreachable', lastError }),
    ...{ status: 'False', reason: 'SlurmUnreachable', because: 'No answer since 2026-06-01T10:30:00Z: Cannot GET' },
  },
  {
    name: 'a bad token looks like silence',
    health: health({ state: 'refused', lastError }),
    ...{ status: 'False', reason: 'SlurmRefused', because: 'Refused since 2026-06-01T10:30:00Z: Cannot GET' },
  },
]

describe('the words about a connection prevent that', () => {
  for (const { name, health: given, status, reason, because } of accidents) {
    test(name, () => {
      const message = expect.stringContaining(because) as string
      expect(judgeConnection(given)).toMatchObject({ reason, because: message })
      const line = { type: 'SlurmReachable', status, reason, message, observedGeneration: 3 }
      expect(slurmReachable(given, 3)).toEqual(line)
    })
  }
})
