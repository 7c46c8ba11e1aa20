import {
  accountingServiceName,
  components,
  ports,
  selectorLabels,
  type AccountingWithDefaults,
} from '@slurm-operator/api'
import { buildControllerReference, type Service } from '@slurm-operator/kube'
import { buildMetadata } from '../workload/build-metadata.ts'
import { buildService } from '../workload/build-service.ts'
import type { Built, Problem } from '../workload/problem.ts'
import type { Kept } from '../world/trim.ts'
import { slurmdbdPort } from './build-config-secret.ts'

/** Ports on which only root may listen. */
const FIRST_FREE_PORT = 1024

/** The Service through which slurmctld reaches slurmdbd. */
export function buildAccountingService(accounting: Kept<AccountingWithDefaults>): Built<Service> {
  const { metadata, spec } = accounting
  const { namespace, name: instance } = metadata
  const common = { namespace, instance, component: 'accounting', on: 'object', resource: metadata } as const
  const service = buildService({
    metadata: {
      ...buildMetadata({ ...common, name: accountingServiceName(instance), extra: spec.service?.metadata }),
      ownerReferences: [buildControllerReference(accounting)],
    },
    selector: selectorLabels('accounting', instance),
    portName: components.accounting.app,
    defaultPort: ports.slurmdbd,
    user: spec.service,
  })
  return { ...service, problems: [...service.problems, ...findPortProblems(accounting)] }
}

/** slurmdbd is not root. */
function findPortProblems(accounting: Kept<AccountingWithDefaults>): Problem[] {
  const port = slurmdbdPort(accounting)
  if (port >= FIRST_FREE_PORT) return []
  const problem = `is ${port}, but slurmdbd is not root and needs a port of at least ${FIRST_FREE_PORT}.`
  return [{ path: 'spec.service.port', problem }]
}
