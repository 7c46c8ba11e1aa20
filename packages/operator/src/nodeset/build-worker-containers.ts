import {
  annotationKeys,
  components,
  containerNames,
  DRAIN_REASON_PREFIX,
  paths,
  ports,
  probePaths,
  volumeNames,
  type Controller,
  type NodeSetWithDefaults,
} from '@slurm-operator/api'
import type { Container, EnvVar, Probe } from '@slurm-operator/kube'
import { controllerAddress } from '../workload/controller-address.ts'
import { mergeContainer } from '../workload/merge-container.ts'
import type { Built } from '../workload/problem.ts'
import { buildLogfileContainer, confServerArguments } from '../workload/shared-containers.ts'
import { sshConfigMounts, sssdMount } from '../workload/ssh-volumes.ts'
import { buildConfArgument } from './build-conf-argument.ts'

/** The environment of slurmd that follows from the size of its pod, which is known only after all merging. */
export function sizeEnvironment(cpus: number, memoryMib: number): EnvVar[] {
  return [
    { name: 'POD_CPUS', value: String(cpus) },
    { name: 'POD_MEMORY', value: String(memoryMib) },
  ]
}

/** slurmd, merged with what the user says about it. */
export function buildSlurmdContainer(nodeSet: NodeSetWithDefaults, controller: Controller): Built<Container> {
  const conf = buildConfArgument(nodeSet)
  const { host, port } = controllerAddress(controller)
  const args = ['-Z', ...confServerArguments(host, port), '--conf', conf.value]
  const merged = mergeContainer(
    { ...baseSlurmd(nodeSet.spec.ssh?.enabled === true), args },
    nodeSet.spec.slurmd,
    'spec.slurmd',
  )
  return { value: merged.value, problems: [...conf.problems, ...merged.problems] }
}

/** The log of slurmd as the output of a container. */
export function buildWorkerLogfile(nodeSet: NodeSetWithDefaults): Built<Container> {
  return mergeContainer(buildLogfileContainer(paths.slurmdLog), nodeSet.spec.logfile, 'spec.logfile')
}

function baseSlurmd(hasSsh: boolean): Container {
  return {
    name: containerNames.slurmd,
    env: [topologyVariable, ...sizeEnvironment(0, 0)],
    ports: [
      { name: components.worker.app, containerPort: ports.slurmd, protocol: 'TCP' },
      ...(hasSsh ? [{ name: 'ssh', containerPort: ports.ssh, protocol: 'TCP' } as const] : []),
    ],
    startupProbe: patientProbe,
    livenessProbe: patientProbe,
    readinessProbe: { httpGet: { path: probePaths.ready, port: components.worker.app } },
    // Slurm starts jobs in control groups of their own and loads device programs for them.
    securityContext: { privileged: true, capabilities: { add: ['BPF', 'NET_ADMIN', 'SYS_ADMIN', 'SYS_NICE'] } },
    lifecycle: { preStop: { exec: { command: ['/usr/bin/sh', '-c', preStopScript] } } },
    terminationMessagePolicy: 'FallbackToLogsOnError',
    volumeMounts: [
      { name: volumeNames.slurmEtc, mountPath: paths.config, readOnly: true },
      { name: volumeNames.logfile, mountPath: paths.logs },
      ...(hasSsh ? [...sshConfigMounts(['sshd_config']), sssdMount()] : []),
    ],
  }
}

const topologyVariable: EnvVar = {
  name: 'SLINKY_TOPOLOGY',
  valueFrom: { fieldRef: { fieldPath: `metadata.annotations['${annotationKeys.topology}']` } },
}

const patientProbe: Probe = {
  httpGet: { path: probePaths.live, port: components.worker.app },
  periodSeconds: 10,
  failureThreshold: 6,
}

/**
 * Slurm need not find out by silence that the node is gone. The reason says that it was us, so that we may undo it; one
 * that somebody else has given stays, so that we do not.
 */
const preStopScript = `
node="$(hostname)"
reason="$(scontrol -o show node "$node" | sed -n 's/.* Reason=\\(.*\\) \\[.*/\\1/p')"
case "$reason" in '' | '${DRAIN_REASON_PREFIX}'*) reason='${DRAIN_REASON_PREFIX}Pod is terminating' ;; esac
scontrol update nodename="$node" state=down reason="$reason"
`.trim()
