import type { Client, Lease } from '@slurm-operator/kube'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { record } from './gen.ts'
import { createLeaseStore, leaseFrom, recordOf } from './kube-lease-store.ts'

const limit = { timeoutMs: 1000, signal: new AbortController().signal }

/** A client that answers reads with this Lease and writes with what was sent. */
function storeOf(lease: Lease) {
  const sent: Lease[] = []
  const answer = (object: Lease) => {
    sent.push(object)
    return Promise.resolve({ ...object, metadata: { ...object.metadata, resourceVersion: '8' } })
  }
  const leases = { find: () => Promise.resolve(lease), create: answer, update: answer }
  const client = { resource: () => leases } as unknown as Client
  return { store: createLeaseStore(client, { namespace: 'a', name: 'b' }), sent }
}

describe('the Lease in the API server prevents that', () => {
  test('what is written is read as something else', () => {
    const anyRecord = fc.record({
      holder: fc.string(),
      durationSeconds: fc.nat(100),
      acquiredAtMs: fc.nat(4_000_000_000_000),
      renewedAtMs: fc.nat(4_000_000_000_000),
      transitions: fc.nat(),
    })
    fc.assert(
      fc.property(anyRecord, (one) => {
        expect(recordOf(leaseFrom({ name: 'b' }, one))).toEqual(one)
      }),
    )
  })

  test('times without six digits are refused by the server', () => {
    const { spec } = leaseFrom({ name: 'b' }, record({ renewedAtMs: 1_893_553_445_600 }))
    expect(spec?.renewTime).toBe('2030-01-02T03:04:05.600000Z')
  })

  test('labels and fields of somebody else are wiped out, or the version is not sent', async () => {
    const metadata = { namespace: 'a', name: 'b', resourceVersion: '7', labels: { team: 'x' } }
    const { store, sent } = storeOf({ ...leaseFrom(metadata, record()), spec: { strategy: 'OldestEmulationVersion' } })
    expect(await store.read(limit)).toEqual({
      version: '7',
      record: record({ holder: '', durationSeconds: 0, acquiredAtMs: 0, renewedAtMs: 0 }),
    })
    expect(await store.update(record({ holder: 'me' }), '7', limit)).toMatchObject({
      version: '8',
      record: { holder: 'me' },
    })
    expect(sent).toMatchObject([{ metadata, spec: { strategy: 'OldestEmulationVersion', holderIdentity: 'me' } }])
  })

  test('a Lease that is new is sent with a version', async () => {
    const { store, sent } = storeOf(leaseFrom({ name: 'b' }, record()))
    await store.create(record({ holder: 'me' }), limit)
    expect(sent[0]?.metadata).toEqual({ namespace: 'a', name: 'b' })
    expect(store.place).toBe('a/b')
  })
})
