import type { Condition } from './condition.ts'

/** What kstatus, and with it kubectl, Flux and Argo CD, makes of an object. */
export type OverallStatus = 'Current' | 'InProgress' | 'Failed' | 'Terminating'

/** The part of an object that decides it. */
export interface Reported {
  readonly metadata?: { readonly generation?: number; readonly deletionTimestamp?: string }
  readonly status?: {
    readonly observedGeneration?: number
    readonly conditions?: readonly Pick<Condition, 'type' | 'status'>[]
  }
}

/** The one word that tools show. The first abnormal line wins, in the order of the list, as they read it. */
export function overallStatus({ metadata = {}, status = {} }: Reported): OverallStatus {
  if (metadata.deletionTimestamp !== undefined) return 'Terminating'
  const { observedGeneration, conditions = [] } = status
  if (observedGeneration !== undefined && observedGeneration !== metadata.generation) return 'InProgress'
  const abnormal = conditions.find(
    ({ type, status }) => status === 'True' && (type === 'Reconciling' || type === 'Stalled'),
  )
  if (abnormal) return abnormal.type === 'Stalled' ? 'Failed' : 'InProgress'
  const ready = conditions.find(({ type }) => type === 'Ready')
  return ready === undefined || ready.status === 'True' ? 'Current' : 'InProgress'
}
