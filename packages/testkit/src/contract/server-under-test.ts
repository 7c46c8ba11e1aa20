/**
 * One suite, several servers: whatever a suite says must hold for the simulated server and for the real one. Where they
 * differ, the simulated one is wrong.
 *
 * @module
 */
import type { Clock, Transport } from '@slurm-operator/kube'

/** A server that a suite is run against. */
export interface ServerUnderTest {
  readonly transport: Transport
  readonly clock: Clock
  /** Wait for something that needs time to pass: real time passes by itself, virtual time is moved. */
  readonly wait: <T>(promise: Promise<T>) => Promise<T>
  /** Make the server forget all old resourceVersions. */
  readonly compact: () => Promise<void>
}

/** Suites are registered before the server runs, so they get a way to it. */
export type GetServer = () => ServerUnderTest
