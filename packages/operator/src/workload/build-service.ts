import { isJsonObject, type ObjectMeta, type Service, type ServicePort, type ServiceSpec } from '@slurm-operator/kube'
import { findRepeated } from './find-repeated.ts'
import type { Entries } from './inherited-metadata.ts'
import { readUserPart } from './merge-strategic.ts'
import type { Built, Problem } from './problem.ts'

/** What users say about a Service; zero and null mean that they say nothing. */
export interface UserService {
  readonly spec?: unknown
  readonly port?: number | null
  readonly nodePort?: number | null
}

/** What a Service is made of. */
export interface ServiceInput {
  readonly metadata: ObjectMeta
  readonly selector: Entries
  /** The name of our port, which is also the name of the port of the pods. */
  readonly portName: string
  readonly defaultPort: number
  /** Users may not shape a headless Service: others resolve names through it. */
  readonly user?: UserService | undefined
  readonly isHeadless?: boolean
  /** Lead also to pods that are not ready; a headless Service always does. */
  readonly isEarly?: boolean
  /** Where `service` stands in the resource. */
  readonly path?: string
}

/** The user's Service with our port and selector on top. */
export function buildService(input: ServiceInput): Built<Service> {
  const path = input.path ?? 'spec.service'
  const part = readUserPart(input.user?.spec, `${path}.spec`)
  // External addresses let whoever writes them take traffic that is meant for somebody else (CVE-2020-8554).
  const { externalIPs: _dropped, ...theirs } = part.value as unknown as ServiceSpec
  const spec: ServiceSpec = {
    ...theirs,
    ports: [...portsOf(theirs), ourPort(input)],
    selector: { ...theirs.selector, ...input.selector },
    ...(input.isHeadless && { clusterIP: 'None' }),
    ...((input.isHeadless || input.isEarly) && { publishNotReadyAddresses: true }),
  }
  const problems = [...findPortProblems(spec.ports ?? [], path), ...findNodePortProblems(input.user, spec, path)]
  const value: Service = { apiVersion: 'v1', kind: 'Service', metadata: input.metadata, spec }
  return { value, problems: [...part.problems, ...problems] }
}

/** The port under which a Service is reached. */
export function servicePort(user: UserService | undefined, defaultPort: number): number {
  return user?.port || defaultPort
}

function portsOf({ ports }: ServiceSpec): readonly ServicePort[] {
  return Array.isArray(ports) ? (ports as ServicePort[]).filter((port) => isJsonObject(port)) : []
}

function ourPort({ portName, defaultPort, user }: ServiceInput): ServicePort {
  return {
    name: portName,
    protocol: 'TCP',
    port: servicePort(user, defaultPort),
    targetPort: portName,
    ...(user?.nodePort && { nodePort: user.nodePort }),
  }
}

function findPortProblems(ports: readonly ServicePort[], path: string): Problem[] {
  if (ports.length < 2) return []
  const names = ports.flatMap(({ name }) => name || [])
  const nameless = ports.filter(({ name }) => !name)
  const clashes = [
    ...findRepeated(names).map((name) => `use the name ${name} twice. Rename a port.`),
    ...findRepeated(ports.map(({ port, protocol }) => `${port}/${protocol ?? 'TCP'}`)).map(
      (key) => `use ${key} twice. Choose another port.`,
    ),
    ...nameless.map(({ port }) => `have no name for ${port}, and the operator adds its own port. Name each port.`),
  ]
  return clashes.map((problem) => ({ path: `${path}.spec.ports`, problem }))
}

function findNodePortProblems(user: UserService | undefined, { type }: ServiceSpec, path: string): Problem[] {
  if (!user?.nodePort || type === 'NodePort' || type === 'LoadBalancer') return []
  const problem = `needs a Service of type NodePort or LoadBalancer, but it is ${type ?? 'ClusterIP'}. Set service.spec.type.`
  return [{ path: `${path}.nodePort`, problem }]
}
