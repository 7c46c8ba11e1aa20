import { configMapResource, leaseResource, type Client } from '@slurm-operator/kube'
import { createApiServer, createVirtualClock } from '@slurm-operator/testkit'
import { describe, expect, test } from 'vitest'
import { silentLogger } from '../logging/logger.ts'
import { createLife } from '../loop/gen.ts'
import { joinElection } from './join-election.ts'

const lease = { namespace: 'default', name: 'operator' }

async function world() {
  const clock = createVirtualClock()
  const { transport, find } = await createApiServer({ clock })
  return { clock, transport, random: () => 0.5, log: silentLogger, clientOptions: { clock }, find }
}

const write = (client: Client) =>
  client
    .resource(configMapResource)
    .create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', generateName: 'a-' } })

describe('joining an election prevents that', () => {
  test('a process writes before it leads, or after', async () => {
    const { clock, find, ...options } = await world()
    const { client, election, gate } = joinElection({ ...options, clock, lease })
    await expect(write(client)).rejects.toMatchObject({ reason: 'Aborted', mayHaveHappened: false })
    const { life, stop } = createLife()
    const ended = election?.run(life)
    await clock.advanceUntil('the leadership', gate.mayWrite, 1_000)
    await expect(write(client)).resolves.toBeDefined()
    stop()
    await clock.drive(Promise.resolve(ended))
    expect(find(leaseResource, lease)?.spec?.holderIdentity).toBe('')
    await expect(write(client)).rejects.toMatchObject({ reason: 'Aborted' })
    expect(await client.resource(configMapResource).list({ namespace: 'default' })).toMatchObject({ items: [{}] })
  })

  test('a process without an election waits for one', async () => {
    const { find, ...options } = await world()
    const { client, election, gate } = joinElection({ ...options, lease: undefined })
    expect([election, gate.mayWrite()]).toEqual([undefined, true])
    await expect(write(client)).resolves.toBeDefined()
    expect(find(leaseResource, lease)).toBeUndefined()
  })
})
