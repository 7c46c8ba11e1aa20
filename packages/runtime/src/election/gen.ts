import { KubeError } from '@slurm-operator/kube'
import type { LeaseRecord, LeaseStore, StoredLease } from './lease.ts'

/** A record with the values that a test does not care about. */
export function record(values: Partial<LeaseRecord> = {}): LeaseRecord {
  return { holder: 'other', durationSeconds: 15, acquiredAtMs: 1, renewedAtMs: 1, transitions: 0, ...values }
}

/** A server with one Lease. `holder` is the truth; each call is atomic, as in etcd. */
export class FakeLease {
  lease: StoredLease | undefined
  #version = 0

  get holder(): string | undefined {
    return this.lease?.record.holder
  }

  create(record: LeaseRecord): StoredLease {
    if (this.lease !== undefined) throw failure('AlreadyExists')
    return this.#store(record)
  }

  update(record: LeaseRecord, version: string): StoredLease {
    if (this.lease === undefined) throw failure('NotFound')
    if (this.lease.version !== version) throw failure('Conflict')
    return this.#store(record)
  }

  delete(): void {
    this.lease = undefined
  }

  #store(record: LeaseRecord): StoredLease {
    return (this.lease = { record, version: String(++this.#version) })
  }
}

/** A failure as the client throws it. */
export function failure(reason: 'AlreadyExists' | 'NotFound' | 'Conflict' | 'Unreachable'): KubeError {
  return new KubeError({ reason, request: 'write leases a/b', detail: 'no' })
}

/** The way to the server: each call goes through `carry`, which may delay it, lose it or lose its answer. */
export function storeOn(server: FakeLease, carry: <T>(call: () => T) => Promise<T>): LeaseStore {
  return {
    place: 'a/b',
    read: () => carry(() => server.lease),
    create: (record) => carry(() => server.create(record)),
    update: (record, version) => carry(() => server.update(record, version)),
  }
}
