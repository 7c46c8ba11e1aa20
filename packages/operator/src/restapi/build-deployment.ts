import {
  components,
  configFiles,
  containerNames,
  controllerConfigMapName,
  hashAnnotations,
  paths,
  ports,
  restApiDeploymentName,
  selectorLabels,
  users,
  volumeNames,
  type RestApiWithDefaults,
} from '@slurm-operator/api'
import {
  buildControllerReference,
  type Container,
  type Deployment,
  type PodSpec,
  type Volume,
} from '@slurm-operator/kube'
import { readSecretEntries } from '../world/entries.ts'
import type { Kept } from '../world/trim.ts'
import { buildMetadata, type MetadataInput } from '../workload/build-metadata.ts'
import { hashOfMap, hashOfValue } from '../workload/hash.ts'
import { mergeContainer } from '../workload/merge-container.ts'
import { mergePodSpec } from '../workload/merge-pod-spec.ts'
import type { Built } from '../workload/problem.ts'
import { configMapFile, modes, projectedVolume, secretFile } from '../workload/volumes.ts'
import type { RestApiFacts } from './observe.ts'

const DAEMON = containerNames.slurmrestd
const probe = { tcpSocket: { port: ports.slurmrestd } }
const patientProbe = { ...probe, periodSeconds: 10, failureThreshold: 6 }

/** The slurmrestd pods. */
export function buildRestApiDeployment(restApi: Kept<RestApiWithDefaults>, facts: RestApiFacts): Built<Deployment> {
  const { spec } = restApi
  const container = mergeContainer(baseContainer(facts), spec.slurmrestd, `spec.${DAEMON}`)
  const pod = mergePodSpec(basePod(facts, withAddress(container.value)), spec.template?.spec, 'spec.template.spec')
  const name = restApiDeploymentName(restApi.metadata.name)
  const common = commonMetadata(restApi, name)
  const selector = { matchLabels: selectorLabels('restApi', restApi.metadata.name) }
  const value: Deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      ...buildMetadata({ ...common, on: 'object' }),
      ownerReferences: [buildControllerReference(restApi)],
    },
    spec: {
      replicas: spec.replicas,
      revisionHistoryLimit: 0,
      selector,
      template: {
        metadata: buildMetadata({ ...common, on: 'pod-template', defaultContainer: DAEMON, hashes: hashesOf(facts) }),
        spec: pod.value,
      },
    },
  }
  return { value, problems: [...container.problems, ...pod.problems] }
}

function commonMetadata({ metadata, spec }: Kept<RestApiWithDefaults>, name: string): Omit<MetadataInput, 'on'> {
  const { namespace, name: instance } = metadata
  return { name, namespace, component: 'restApi', instance, resource: metadata, extra: spec.template?.metadata }
}

function basePod({ controller }: RestApiFacts, container: Container): PodSpec {
  const { id } = users.nobody
  return {
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, runAsUser: id, runAsGroup: id, fsGroup: id },
    containers: [container],
    volumes: controller ? [configVolume(controller)] : [],
  }
}

function configVolume({ metadata, spec }: NonNullable<RestApiFacts['controller']>): Volume {
  const config = { name: controllerConfigMapName(metadata.name), key: configFiles.slurmConf }
  return projectedVolume(volumeNames.slurmEtc, modes.private, [
    configMapFile(config, configFiles.slurmConf),
    ...(spec.slurmKeyRef?.name ? [secretFile(spec.slurmKeyRef, configFiles.slurmKey)] : []),
  ])
}

function baseContainer({ controller }: RestApiFacts): Container {
  const { id } = users.nobody
  const hasAccounting = Boolean(controller?.spec.accountingRef?.name)
  return {
    name: DAEMON,
    // Without a database slurmrestd must not load the plugins that ask it.
    args: hasAccounting ? [] : ['-s', 'openapi/slurmctld'],
    env: [
      { name: 'SLURM_JWT', value: 'daemon' },
      { name: 'SLURMRESTD_SECURITY', value: 'disable_unshare_files,disable_unshare_sysv' },
    ],
    ports: [{ name: components.restApi.app, containerPort: ports.slurmrestd, protocol: 'TCP' }],
    startupProbe: patientProbe,
    livenessProbe: patientProbe,
    readinessProbe: probe,
    securityContext: { runAsNonRoot: true, runAsUser: id, runAsGroup: id },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [{ name: volumeNames.slurmEtc, mountPath: paths.config, readOnly: true }],
  }
}

/** The address to listen on comes last, behind the arguments of the user. */
function withAddress(container: Container): Container {
  return { ...container, args: [...(container.args ?? []), `0.0.0.0:${ports.slurmrestd}`] }
}

/** slurmrestd reads its key and its configuration once. Of slurm.conf it uses little: a new partition is no reason to restart. */
function hashesOf({ slurmKey, config }: RestApiFacts): Readonly<Record<string, string>> {
  const text = config?.data?.[configFiles.slurmConf] ?? ''
  return {
    [hashAnnotations.slurmKey]: hashOfMap(slurmKey && readSecretEntries(slurmKey)),
    [hashAnnotations.slurmConfig]: hashOfValue(usedSettings(text)),
  }
}

const USED =
  /^\s*(?:ClusterName|Slurmctld(?:Host|Port|Addr)|Auth\w*|CredType|AccountingStorage\w*|Communication\w*|TLS\w*)\s*=/i

/** The lines of slurm.conf that matter to slurmrestd. */
function usedSettings(slurmConf: string): string {
  return slurmConf
    .split('\n')
    .filter((line) => USED.test(line))
    .join('\n')
}
