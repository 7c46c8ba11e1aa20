import {
  accountingConfigSecretName,
  accountingPodName,
  configFiles,
  ports,
  type AccountingWithDefaults,
} from '@slurm-operator/api'
import { buildControllerReference, type Secret } from '@slurm-operator/kube'
import { buildSlurmdbdConf } from '../conf/build-slurmdbd-conf.ts'
import { buildMetadata } from '../workload/build-metadata.ts'
import { servicePort } from '../workload/build-service.ts'
import type { Built } from '../workload/problem.ts'
import type { Kept } from '../world/trim.ts'

/** The port on which slurmdbd listens: slurmctld reaches it through the Service, so both have the same. */
export function slurmdbdPort({ spec }: Pick<AccountingWithDefaults, 'spec'>): number {
  return servicePort(spec.service, ports.slurmdbd)
}

/** The Secret with slurmdbd.conf. It holds the password, so it is no ConfigMap. */
export function buildConfigSecret(accounting: Kept<AccountingWithDefaults>, password: string): Built<Secret> {
  const { metadata, spec } = accounting
  const { namespace, name: instance } = metadata
  const { host = '', port = 0, database = '', username } = spec.storageConfig ?? {}
  const { text, problems } = buildSlurmdbdConf({
    host: accountingPodName(instance),
    port: slurmdbdPort(accounting),
    hasJwks: spec.jwksKeyRef !== undefined,
    storage: { host, port, database, username, password },
    extraConf: spec.extraConf,
  })
  const common = { namespace, instance, component: 'accounting', on: 'object', resource: metadata } as const
  const value: Secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: {
      ...buildMetadata({ ...common, name: accountingConfigSecretName(instance) }),
      ownerReferences: [buildControllerReference(accounting)],
    },
    immutable: false,
    data: { [configFiles.slurmdbdConf]: Buffer.from(text, 'utf8').toString('base64') },
  }
  return { value, problems }
}
