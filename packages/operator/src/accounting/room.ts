import {
  accountingResource,
  accountingStatefulSetName,
  withAccountingDefaults,
  type Accounting,
  type AccountingWithDefaults,
} from '@slurm-operator/api'
import { judgeByWorkload } from '../component/judge-workload.ts'
import { observeStatefulSet } from '../component/observe-workload.ts'
import type { ComponentRoom, Judgement, RoomPass } from '../component/room.ts'
import { stateOf } from '../reasons/reasons.ts'
import { buildAccounting } from './build.ts'
import { observeAccounting, type AccountingFacts } from './observe.ts'

/** The records of jobs: a Service, slurmdbd.conf and slurmdbd. */
export const accountingRoom: ComponentRoom<Accounting, AccountingFacts, AccountingWithDefaults> = {
  name: 'accounting',
  resource: accountingResource,
  cache: ({ caches }) => caches.accountings,
  withDefaults: withAccountingDefaults,
  observe: (at) => observeAccounting(at),
  build: buildAccounting,
  judge,
}

function judge({ object, world, nowMs }: RoomPass<AccountingWithDefaults>): Judgement {
  const { namespace, name } = object.metadata
  const { host, port } = object.spec.externalConfig ?? {}
  if (object.spec.external)
    return { state: stateOf('External', `slurmdbd runs outside of Kubernetes, at ${host}:${port}.`) }
  const facts = observeStatefulSet(world, { namespace, name: accountingStatefulSetName(name) })
  return judgeByWorkload('slurmdbd', facts, nowMs)
}
