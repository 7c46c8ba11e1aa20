import type { Live, Secret } from '@slurm-operator/kube'
import { createLogger, openGate, SecretValues, silentLogger } from '@slurm-operator/runtime'
import { SlurmRegistry } from '@slurm-operator/slurm'
import { createVirtualClock } from '@slurm-operator/testkit'
import { describe, expect, test } from 'vitest'
import { StillServer } from '../testing/still-server.ts'
import { Contents } from './contents.ts'
import { readSecretEntry } from './entries.ts'
import { HiddenEntries } from './hidden-entries.ts'
import type { KeptMetadata } from './trim.ts'
import { createWorld } from './world.ts'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

function aSecret(entries: Readonly<Record<string, string>>): Live<Secret> {
  const data = Object.fromEntries(Object.entries(entries).map(([key, text]) => [key, base64(text)]))
  const metadata = { name: 'db', namespace: 'slurm', uid: 'u', resourceVersion: '1', creationTimestamp: '' }
  return { apiVersion: 'v1', kind: 'Secret', metadata, data }
}

/** Secrets as the loops read them, and the lines of a logger that knows what is hidden. */
function start(secret: Live<Secret>) {
  const values = new SecretValues()
  const hidden = new HiddenEntries(values)
  const cache = { get: () => ({ metadata: secret.metadata }) as KeptMetadata, by: () => [], wrote: () => {} }
  const listening = { ...cache, list: () => [], size: 1, hasSynced: true, listen: () => () => {} }
  const secrets = new Contents<Secret>(listening, { get: async () => secret }, (one) => hidden.follow(one))
  const lines: string[] = []
  const log = createLogger({ clock: { now: () => 0 }, secrets: values, write: (line) => lines.push(line) })
  return { secrets, values, hidden, log, lines }
}

describe('what a loop has read from a Secret stands in a log line', () => {
  test('as it is, encoded, or in an error of somebody else', async () => {
    const { secrets, log, lines } = start(aSecret({ password: 'correct-horse', 'jwt.key': 'battery-staple' }))
    const secret = await secrets.read({ namespace: 'slurm', name: 'db' })
    expect(secret && readSecretEntry(secret, 'password')?.toString()).toBe('correct-horse')
    if (secret !== undefined) readSecretEntry(secret, 'jwt.key')
    log.error('StoragePass=correct-horse', { error: new Error(`cannot sign with ${base64('battery-staple')}`) })
    expect(lines.join('')).toContain('<hidden>')
    expect(lines.join('')).not.toMatch(/correct-horse|battery-staple|YmF0dGVyeS1zdGFwbGU/)
  })

  test('because the world of the loops did not say where it is hidden', () => {
    const secretValues = new SecretValues()
    const random = () => 0.5
    const world = createWorld({
      ...{ client: new StillServer('slurm').client(), clock: createVirtualClock(), random, log: silentLogger },
      ...{ hasServiceMonitors: false, clusterDomain: 'cluster.local', propagatedConditions: [] },
      ...{ slurm: new SlurmRegistry({ random }), eventsAs: () => () => {}, gate: openGate, secretValues },
    })
    readSecretEntry(world.secrets.wrote(aSecret({ password: 'correct-horse' })), 'password')
    expect(secretValues.hide('correct-horse')).toBe('<hidden>')
  })

  test('and with it the names that stand beside it in the Secret are gone from all lines', async () => {
    const { secrets, log, lines } = start(aSecret({ password: 'correct-horse', username: 'slurm-operator' }))
    const secret = await secrets.read({ namespace: 'slurm', name: 'db' })
    if (secret !== undefined) readSecretEntry(secret, 'password')
    log.info('slurm-operator has started')
    expect(lines.join('')).toContain('slurm-operator has started')
  })

  test('more and more is hidden the longer the operator runs', () => {
    const { hidden, values } = start(aSecret({}))
    for (let number = 0; number < 300; number++) {
      hidden.add(base64('the-first-value'))
      hidden.add(base64(`value-number-${number}.`))
    }
    expect(values.hide('the-first-value value-number-299. value-number-0.')).toBe('<hidden> <hidden> value-number-0.')
  })
})
