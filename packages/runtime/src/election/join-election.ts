import {
  createClientOn,
  type Client,
  type ClientOptions,
  type Clock,
  type Random,
  type Transport,
} from '@slurm-operator/kube'
import type { Logger } from '../logging/logger.ts'
import { Election } from './election.ts'
import { guardTransport, openGate, type WriteGate } from './gate.ts'
import { createIdentity } from './identity.ts'
import { createLeaseStore, type LeasePlace } from './kube-lease-store.ts'

/** What a contender brings along. */
export interface ContenderOptions {
  readonly transport: Transport
  /** undefined: there is no election, and everybody may write. */
  readonly lease: LeasePlace | undefined
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly clientOptions?: ClientOptions
  /** For metrics. */
  readonly onChange?: (isLeading: boolean) => void
}

/** A client that cannot write unless this process leads, and what decides about it. */
export interface Contender {
  readonly client: Client
  readonly gate: WriteGate
  /** For the manager. */
  readonly election?: Election
}

/** Connect so that only the leader can write. Only the election itself gets a client without a guard. */
export function joinElection(options: ContenderOptions): Contender {
  const { transport, lease, clock, random, log, clientOptions, onChange } = options
  const unguarded = createClientOn(transport, clientOptions)
  if (lease === undefined) return { client: unguarded, gate: openGate }
  const store = createLeaseStore(unguarded, lease)
  const identity = createIdentity()
  const election = new Election({ store, identity, clock, random, log, ...(onChange !== undefined && { onChange }) })
  const { gate } = election
  return { client: createClientOn(guardTransport(transport, gate), clientOptions), gate, election }
}
