import type { SecretKeySelector } from '@slurm-operator/api'
import type { RoomPass } from '../component/room.ts'

/** Whoever refers to keys. */
export interface KeyHolder {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace: string
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: {
    readonly slurmKeyRef?: SecretKeySelector
    readonly jwtKeyRef?: SecretKeySelector
    readonly jwtHs256KeyRef?: SecretKeySelector
  }
}

/** Everything that reading keys takes. */
export type KeyPass = Pick<RoomPass<never>, 'world' | 'pass'>
