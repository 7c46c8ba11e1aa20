import {
  configFiles,
  containerNames,
  fullServiceHost,
  hashAnnotations,
  labelKeys,
  sshConfigMapName,
  volumeNames,
  workerServiceName,
  workerTaint,
  type Controller,
  type NodeSetWithDefaults,
} from '@slurm-operator/api'
import type { Container, ObjectMeta, PodSpec, Secret, Volume } from '@slurm-operator/kube'
import { buildSshdConfig } from '../conf/build-ssh-config.ts'
import { buildMetadata } from '../workload/build-metadata.ts'
import { hashOfValue } from '../workload/hash.ts'
import { mergePodSpec } from '../workload/merge-pod-spec.ts'
import type { Built } from '../workload/problem.ts'
import { sshConfigVolume, sssdVolume } from '../workload/ssh-volumes.ts'
import { memoryVolume, modes, projectedVolume, secretFile } from '../workload/volumes.ts'
import { readSecretEntry } from '../world/entries.ts'
import { buildSlurmdContainer, buildWorkerLogfile, sizeEnvironment } from './build-worker-containers.ts'
import { REGISTRATION } from './picture-keys.ts'
import { podSizeOf } from './pod-size.ts'

/** What the pods of a NodeSet are built from, besides the NodeSet. */
export interface TemplateInputs {
  readonly controller: Controller
  readonly sssdConf: Secret | undefined
  readonly clusterDomain: string
}

/** What all worker pods of a NodeSet have in common. */
export interface WorkerTemplate {
  readonly metadata: Pick<ObjectMeta, 'labels' | 'annotations'>
  readonly spec: PodSpec
  /** A hash of what slurmd registers with. */
  readonly registration: string
}

/** Build it. */
export function buildWorkerTemplate(nodeSet: NodeSetWithDefaults, inputs: TemplateInputs): Built<WorkerTemplate> {
  const slurmd = buildSlurmdContainer(nodeSet, inputs.controller)
  const logfile = buildWorkerLogfile(nodeSet)
  const base = basePod(nodeSet, inputs, { slurmd: slurmd.value, logfile: logfile.value })
  const pod = mergePodSpec(base, nodeSet.spec.template?.spec, 'spec.template.spec')
  const spec = withSize(pod.value)
  const registration = registrationOf(spec)
  const value = { spec, registration, metadata: buildTemplateMetadata(nodeSet, inputs, registration) }
  return { value, problems: [...slurmd.problems, ...logfile.problems, ...pod.problems] }
}

/** The sshd_config of the workers. */
export function workerSshdConfig({ spec }: NodeSetWithDefaults): string {
  return buildSshdConfig({ of: 'worker', extraSshdConfig: spec.ssh?.extraSshdConfig })
}

function basePod(
  { metadata, spec }: NodeSetWithDefaults,
  { controller, clusterDomain }: TemplateInputs,
  { slurmd, logfile }: { readonly slurmd: Container; readonly logfile: Container },
): PodSpec {
  const service = workerServiceName(spec.controllerRef.name ?? '')
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    subdomain: service,
    dnsConfig: { searches: [fullServiceHost(service, metadata.namespace, clusterDomain)] },
    tolerations: [workerTaint],
    initContainers: [logfile],
    containers: [slurmd],
    volumes: [keyVolume(controller), memoryVolume(volumeNames.logfile), ...sshVolumes({ metadata, spec })],
  }
}

function keyVolume({ spec }: Controller): Volume {
  const sources = spec.slurmKeyRef?.name ? [secretFile(spec.slurmKeyRef, configFiles.slurmKey)] : []
  return projectedVolume(volumeNames.slurmEtc, modes.private, sources)
}

function sshVolumes({ metadata, spec }: Pick<NodeSetWithDefaults, 'metadata' | 'spec'>): Volume[] {
  if (spec.ssh?.enabled !== true || spec.ssh.sssdConfRef === undefined) return []
  return [sshConfigVolume(sshConfigMapName(metadata.name), ['sshd_config']), sssdVolume(spec.ssh.sssdConfRef)]
}

/** The size is known when everything is merged; a value that the user chose stays. */
function withSize(spec: PodSpec): PodSpec {
  const { cpus, memoryMib } = podSizeOf(spec)
  const sizes = new Map(sizeEnvironment(cpus, memoryMib).map((entry) => [entry.name, entry]))
  const sized = (container: Container): Container => {
    const env = container.env?.map((entry) => (entry.value === '0' ? (sizes.get(entry.name) ?? entry) : entry))
    return env === undefined ? container : { ...container, env }
  }
  return { ...spec, containers: spec.containers.map((one) => (one.name === containerNames.slurmd ? sized(one) : one)) }
}

/** What slurmd tells slurmctld about itself: if it changes, slurmctld refuses the node under its old record. */
function registrationOf({ containers }: PodSpec): string {
  const slurmd = containers.find(({ name }) => name === containerNames.slurmd)
  const env = slurmd?.env?.filter(({ name }) => name.startsWith('POD_')) ?? []
  return hashOfValue(JSON.stringify([slurmd?.args ?? [], env])).slice(0, 16)
}

function buildTemplateMetadata(
  nodeSet: NodeSetWithDefaults,
  { sssdConf }: TemplateInputs,
  registration: string,
): WorkerTemplate['metadata'] {
  const { metadata, spec } = nodeSet
  const { namespace, name: instance } = metadata
  const key = spec.ssh?.sssdConfRef?.key ?? ''
  const hasSsh = spec.ssh?.enabled === true
  const { labels, annotations } = buildMetadata({
    ...{ on: 'pod', name: '', namespace, component: 'worker', instance, resource: metadata },
    extra: spec.template?.metadata,
    labels: { [labelKeys.cluster]: spec.controllerRef.name ?? '' },
    hashes: {
      [hashAnnotations.sshdConf]: hashOfValue(hasSsh ? workerSshdConfig(nodeSet) : ''),
      [hashAnnotations.sssdConf]: hashOfValue(hasSsh && sssdConf ? readSecretEntry(sssdConf, key) : ''),
      [REGISTRATION]: registration,
    },
    defaultContainer: containerNames.slurmd,
  })
  return { ...(labels && { labels }), ...(annotations && { annotations }) }
}
