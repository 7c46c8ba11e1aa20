import {
  accountingConfigSecretName,
  accountingServiceName,
  accountingStatefulSetName,
  components,
  configFiles,
  containerNames,
  hashAnnotations,
  paths,
  selectorLabels,
  users,
  volumeNames,
  type AccountingWithDefaults,
} from '@slurm-operator/api'
import {
  buildControllerReference,
  type Container,
  type PodSpec,
  type Secret,
  type StatefulSet,
  type Volume,
} from '@slurm-operator/kube'
import { jwtKeyRefOf, slurmKeyRefOf } from '../keys/observe-keys.ts'
import { buildMetadata } from '../workload/build-metadata.ts'
import { hashOfMap, hashOfValue } from '../workload/hash.ts'
import { mergeContainer } from '../workload/merge-container.ts'
import { mergePodSpec } from '../workload/merge-pod-spec.ts'
import type { Built } from '../workload/problem.ts'
import { configMapFile, memoryVolume, modes, projectedVolume, secretFile } from '../workload/volumes.ts'
import { readSecretEntries } from '../world/entries.ts'
import type { Kept } from '../world/trim.ts'
import { slurmdbdPort } from './build-config-secret.ts'
import type { AccountingFacts } from './observe.ts'

type Wanted = Kept<AccountingWithDefaults>

const DAEMON = containerNames.slurmdbd
const asSlurm = { runAsNonRoot: true, runAsUser: users.slurm.id, runAsGroup: users.slurm.id } as const

/** The slurmdbd pod. It reads its files only when it starts, so a change of any of them makes a new one. */
export function buildAccountingStatefulSet(
  accounting: Wanted,
  facts: AccountingFacts,
  config: Secret,
): Built<StatefulSet> {
  const { metadata, spec } = accounting
  const { namespace, name: instance } = metadata
  const common = {
    namespace,
    instance,
    name: accountingStatefulSetName(instance),
    component: 'accounting',
    resource: metadata,
    extra: spec.template?.metadata,
  } as const
  const pod = buildPodSpec(accounting)
  const hashes = hashesOf(accounting, facts, config)
  const value: StatefulSet = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: {
      ...buildMetadata({ ...common, on: 'object' }),
      ownerReferences: [buildControllerReference(accounting)],
    },
    spec: {
      replicas: 1,
      podManagementPolicy: 'Parallel', // a broken pod is replaced without waiting for it
      revisionHistoryLimit: 0,
      serviceName: accountingServiceName(instance),
      selector: { matchLabels: selectorLabels('accounting', instance) },
      template: {
        metadata: buildMetadata({ ...common, on: 'pod-template', hashes, defaultContainer: DAEMON }),
        spec: pod.value,
      },
    },
  }
  return { value, problems: pod.problems }
}

function hashesOf({ spec }: Wanted, { keys, jwks }: AccountingFacts, config: Secret): Readonly<Record<string, string>> {
  const jwksText = jwks?.data?.[spec.jwksKeyRef?.key ?? '']
  return {
    [hashAnnotations.slurmKey]: keys?.slurm.hash ?? '',
    [hashAnnotations.jwtKey]: keys?.jwt.hash ?? '',
    [hashAnnotations.slurmdbdConf]: hashOfMap(readSecretEntries(config)),
    ...(jwksText !== undefined && { 'slinky.slurm.net/jwks-hash': hashOfValue(jwksText) }),
  }
}

function buildPodSpec(accounting: Wanted): Built<PodSpec> {
  const { spec } = accounting
  const container = mergeContainer(baseContainer(accounting), spec.slurmdbd, `spec.${DAEMON}`)
  const base: PodSpec = {
    automountServiceAccountToken: false,
    securityContext: { ...asSlurm, fsGroup: users.slurm.id },
    containers: [container.value],
    volumes: [configVolume(accounting), memoryVolume(volumeNames.run)],
  }
  const pod = mergePodSpec(base, spec.template?.spec, 'spec.template.spec')
  return { value: pod.value, problems: [...container.problems, ...pod.problems] }
}

function baseContainer(accounting: Wanted): Container {
  const port = slurmdbdPort(accounting)
  const probe = { tcpSocket: { port } }
  return {
    name: DAEMON,
    ports: [{ name: components.accounting.app, containerPort: port, protocol: 'TCP' }],
    // The first start makes tables, and a new release changes them, which takes long for a big database.
    startupProbe: { ...probe, periodSeconds: 10, failureThreshold: 360 },
    livenessProbe: { ...probe, periodSeconds: 10, failureThreshold: 6 },
    readinessProbe: probe,
    securityContext: asSlurm,
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: volumeNames.slurmEtc, mountPath: paths.config, readOnly: true },
      { name: volumeNames.run, mountPath: '/run' },
    ],
  }
}

function configVolume(accounting: Wanted): Volume {
  const { metadata, spec } = accounting
  const config = { name: accountingConfigSecretName(metadata.name), key: configFiles.slurmdbdConf }
  return projectedVolume(volumeNames.slurmEtc, modes.private, [
    secretFile(config, configFiles.slurmdbdConf),
    secretFile(slurmKeyRefOf(accounting), configFiles.slurmKey),
    secretFile(jwtKeyRefOf(accounting), configFiles.jwtKey),
    ...(spec.jwksKeyRef === undefined ? [] : [configMapFile(spec.jwksKeyRef, configFiles.jwks)]),
  ])
}
