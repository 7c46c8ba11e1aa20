/**
 * Test data of this room: a simulated Slurm on a virtual clock with a client beside it.
 *
 * @module
 */
import { connect, Secret, slurmClient, Endpoint, signingKeySource } from '@slurm-operator/slurm'
import type { SlurmClient, SlurmConnection } from '@slurm-operator/slurm'
import { createVirtualClock, type VirtualClock } from '../clock/virtual-clock.ts'
import { createSimulatedSlurm, type SimulatedSlurm, type SimulatedSlurmOptions } from './simulated-slurm.ts'

/** A Slurm, its time, and somebody who asks it. */
export interface SlurmLab {
  readonly clock: VirtualClock
  readonly slurm: SimulatedSlurm
  readonly client: SlurmClient
  /** Wait in virtual time. */
  readonly wait: VirtualClock['drive']
  readonly seconds: (count: number) => Promise<void>
}

/** One of each. */
export function buildSlurmLab(options: Partial<SimulatedSlurmOptions> = {}): SlurmLab {
  const clock = createVirtualClock()
  const slurm = createSimulatedSlurm({ clock, workers: 2, ...options })
  const random = (): number => 0.5
  const tokens = signingKeySource({ readKey: () => new Secret(slurm.signingKey), clock, random })
  const endpoint = new Endpoint({ url: 'http://simulated', transport: slurm.openTransport(), tokens, clock })
  const seconds = (count: number): Promise<void> => clock.advance(count * 1000)
  return { clock, slurm, client: slurmClient(endpoint), wait: clock.drive, seconds }
}

/** A connection with its view, on the same clock. */
export function connectTo({ clock, slurm }: SlurmLab, random: () => number = () => 0.5): SlurmConnection {
  const token = { kind: 'signing-key', key: new Secret(slurm.signingKey) } as const
  return connect(
    { endpoints: ['http://simulated'], token },
    { clock, random, openTransport: () => slurm.openTransport() },
  )
}
