import {
  components,
  configFiles,
  containerNames,
  fullServiceHost,
  hashAnnotations,
  loginSetDeploymentName,
  paths,
  selectorLabels,
  sshConfigMapName,
  sshHostKeysSecretName,
  volumeNames,
  workerServiceName,
  type LoginSetWithDefaults,
} from '@slurm-operator/api'
import {
  buildControllerReference,
  type Container,
  type Deployment,
  type DeploymentStrategy,
  type PodSpec,
  type Volume,
} from '@slurm-operator/kube'
import { buildMetadata, type MetadataInput } from '../workload/build-metadata.ts'
import { controllerAddress } from '../workload/controller-address.ts'
import { hashOfMap, hashOfValue } from '../workload/hash.ts'
import { mergeContainer } from '../workload/merge-container.ts'
import { mergePodSpec } from '../workload/merge-pod-spec.ts'
import type { Built } from '../workload/problem.ts'
import { buildInitconfContainer, confServerArguments } from '../workload/shared-containers.ts'
import {
  hostKeyMounts,
  hostKeyVolume,
  sshConfigMounts,
  sshConfigVolume,
  sssdMount,
  sssdVolume,
} from '../workload/ssh-volumes.ts'
import { memoryVolume, modes, projectedVolume, secretFile } from '../workload/volumes.ts'
import { readSecretEntries, readSecretEntry } from '../world/entries.ts'
import type { Kept } from '../world/trim.ts'
import { sshTexts } from './build-ssh.ts'
import type { LoginSetFacts } from './observe.ts'
import { sshPort } from './ssh-port.ts'

const sshFiles = ['sshd_config', 'authorized_keys'] as const

/** The pods that users log in to. */
export function buildLoginDeployment(loginSet: Kept<LoginSetWithDefaults>, facts: LoginSetFacts): Built<Deployment> {
  const { metadata, spec } = loginSet
  const login = mergeContainer(baseLogin(loginSet, facts), spec.login, 'spec.login')
  const initconf = mergeContainer(buildInitconfContainer(), spec.initconf, 'spec.initconf')
  const base = basePod(loginSet, facts, { login: login.value, initconf: initconf.value })
  const pod = mergePodSpec(base, spec.template?.spec, 'spec.template.spec')
  const common = commonMetadata(loginSet)
  const hashes = hashesOf(loginSet, facts)
  const value: Deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...buildMetadata({ ...common, on: 'object' }), ownerReferences: [buildControllerReference(loginSet)] },
    spec: {
      replicas: spec.replicas,
      revisionHistoryLimit: 0,
      selector: { matchLabels: selectorLabels('login', metadata.name) },
      ...(spec.strategy !== undefined && { strategy: spec.strategy as DeploymentStrategy }),
      template: {
        metadata: buildMetadata({ ...common, on: 'pod-template', defaultContainer: containerNames.login, hashes }),
        spec: pod.value,
      },
    },
  }
  return { value, problems: [...login.problems, ...initconf.problems, ...pod.problems] }
}

function commonMetadata({ metadata, spec }: Kept<LoginSetWithDefaults>): Omit<MetadataInput, 'on'> {
  const { namespace, name } = metadata
  const extra = spec.template?.metadata
  return {
    name: loginSetDeploymentName(name),
    namespace,
    component: 'login',
    instance: name,
    resource: metadata,
    extra,
  }
}

function baseLogin({ spec }: Kept<LoginSetWithDefaults>, { controller }: LoginSetFacts): Container {
  const { host, port } = controller ? controllerAddress(controller) : { host: '', port: 0 }
  return {
    name: containerNames.login,
    env: [{ name: 'SACKD_OPTIONS', value: confServerArguments(host, port).join(' ') }],
    ports: [{ name: components.login.app, containerPort: sshPort(spec), protocol: 'TCP' }],
    readinessProbe: { exec: { command: ['test', '-S', `${paths.slurmRun}/sack.socket`] } },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: volumeNames.slurmEtc, mountPath: paths.config, readOnly: true },
      { name: volumeNames.sackd, mountPath: paths.slurmRun },
      ...hostKeyMounts(),
      ...sshConfigMounts(sshFiles),
      sssdMount(),
    ],
  }
}

function basePod(
  { metadata, spec }: Kept<LoginSetWithDefaults>,
  { controller, clusterDomain }: LoginSetFacts,
  { login, initconf }: { readonly login: Container; readonly initconf: Container },
): PodSpec {
  const { namespace, name } = metadata
  const workers = workerServiceName(spec.controllerRef.name ?? '')
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    dnsConfig: { searches: [fullServiceHost(workers, namespace, clusterDomain)] }, // users call workers by their names
    initContainers: [initconf],
    containers: [login],
    volumes: [
      memoryVolume(volumeNames.slurmEtc),
      memoryVolume(volumeNames.sackd),
      keyVolume(controller),
      hostKeyVolume(sshHostKeysSecretName(name)),
      sshConfigVolume(sshConfigMapName(name), sshFiles),
      sssdVolume(spec.sssdConfRef),
    ],
  }
}

function keyVolume(controller: LoginSetFacts['controller']): Volume {
  const ref = controller?.spec.slurmKeyRef
  return projectedVolume(
    volumeNames.slurmConfig,
    modes.private,
    ref?.name ? [secretFile(ref, configFiles.slurmKey)] : [],
  )
}

/** Everything is mounted as single files or copied at the start, so a change reaches users only with new pods. */
function hashesOf(loginSet: Kept<LoginSetWithDefaults>, facts: LoginSetFacts): Readonly<Record<string, string>> {
  const { slurmKey, sssdConf, hostKeys } = facts
  const texts = sshTexts(loginSet)
  return {
    [hashAnnotations.sshHostKeys]: hashOfMap(hostKeys),
    [hashAnnotations.sshdConf]: hashOfValue(texts.sshd_config),
    [hashAnnotations.sssdConf]: hashOfValue(sssdConf && readSecretEntry(sssdConf, loginSet.spec.sssdConfRef.key)),
    [hashAnnotations.slurmKey]: hashOfMap(slurmKey && readSecretEntries(slurmKey)),
    // A key that is taken away from root is taken away from running pods too.
    [hashAnnotations.authorizedKeys]: hashOfValue(texts.authorized_keys),
  }
}
