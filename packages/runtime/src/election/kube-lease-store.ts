import { findTime, leaseResource, printMicroTime, type Client, type Lease, type Live } from '@slurm-operator/kube'
import type { LeaseRecord, LeaseStore, StoredLease } from './lease.ts'

/** Where the Lease is. */
export interface LeasePlace {
  readonly namespace: string
  readonly name: string
}

/** The Lease of an API server. The client must not be one that `guardWrites` watches over: this is what opens the gate. */
export function createLeaseStore(client: Client, { namespace, name }: LeasePlace): LeaseStore {
  const leases = client.resource(leaseResource)
  let last: Live<Lease> | undefined
  const note = (lease: Live<Lease> | undefined): StoredLease | undefined => {
    last = lease
    return lease && { record: recordOf(lease), version: lease.metadata.resourceVersion }
  }
  return {
    place: `${namespace}/${name}`,
    read: async (limit) => note(await leases.find({ namespace, name }, limit)),
    create: async (record, limit) => stored(await leases.create(leaseFrom({ namespace, name }, record), limit), note),
    async update(record, version, limit) {
      // Labels and annotations are somebody else's: they stay as they are.
      const others = last?.metadata.resourceVersion === version ? last : undefined
      const lease = leaseFrom({ ...others?.metadata, namespace, name, resourceVersion: version }, record, others)
      return stored(await leases.update(lease, limit), note)
    },
  }
}

function stored(lease: Live<Lease>, note: (lease: Live<Lease>) => StoredLease | undefined): StoredLease {
  return note(lease) ?? { record: recordOf(lease), version: lease.metadata.resourceVersion }
}

/** What a Lease says; a field that is missing or unreadable says nothing. */
export function recordOf({ spec }: Lease): LeaseRecord {
  return {
    holder: spec?.holderIdentity ?? '',
    durationSeconds: spec?.leaseDurationSeconds ?? 0,
    acquiredAtMs: findTime(spec?.acquireTime) ?? 0,
    renewedAtMs: findTime(spec?.renewTime) ?? 0,
    transitions: spec?.leaseTransitions ?? 0,
  }
}

/** The Lease that says this. */
export function leaseFrom(metadata: Lease['metadata'], record: LeaseRecord, others?: Lease): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata,
    spec: {
      ...others?.spec,
      holderIdentity: record.holder,
      leaseDurationSeconds: record.durationSeconds,
      acquireTime: printMicroTime(record.acquiredAtMs),
      renewTime: printMicroTime(record.renewedAtMs),
      leaseTransitions: record.transitions,
    },
  }
}
