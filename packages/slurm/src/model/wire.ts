import type { V42 } from '../generated/v0.0.42.ts'
import type { V43 } from '../generated/v0.0.43.ts'
import type { V44 } from '../generated/v0.0.44.ts'
import type { V45 } from '../generated/v0.0.45.ts'

type Any<Name extends keyof V42 & keyof V45> = V42[Name] | V43[Name] | V44[Name] | V45[Name]
type Since43<Name extends keyof V43 & keyof V45> = V43[Name] | V44[Name] | V45[Name]

/** What the versions promise about the records we read. A union has the fields that all of its members have. */
export interface Wire {
  readonly node: Any<'Node'>
  readonly nodeWithTopology: Since43<'Node'>
  readonly job: Any<'JobInfo'>
  readonly partition: Any<'PartitionInfo'>
  readonly partitionWithTopology: Since43<'PartitionInfo'>
  readonly partitionWithFlags: V45['PartitionInfo']
  readonly reservation: Any<'ReservationInfo'>
  readonly ping: Any<'ControllerPing'>
  readonly pingWithWord: V42['ControllerPing'] | V43['ControllerPing'] | V44['ControllerPing']
  readonly pingWithStatus: V45['ControllerPing']
  readonly statistics: Any<'StatsMsg'>
  readonly cluster: Any<'ClusterRec'>
  readonly meta: Any<'OpenapiMeta'>
  readonly configurationMeta: V45['SlurmConfMeta']
}
