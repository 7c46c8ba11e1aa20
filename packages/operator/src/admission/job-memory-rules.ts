/**
 * Whose end it is when a job runs out of memory. The kernel begins with the process that it was told to spare least, and
 * Kubernetes says that of every process in a pod that is not Guaranteed. slurmstepd takes it back for itself where it
 * may, and gives its job a value in the middle. Where it may not, slurmstepd ends first: nobody watches the job any
 * more, and Slurm shows it as running until somebody cancels it.
 *
 * @module
 */
import { containerNames, type NodeSetWithDefaults, type Problem } from '@slurm-operator/api'
import { parseQuantity, whyInvalidQuantity } from '@slurm-operator/kube'
import { warn, when } from './problem.ts'
import { fieldsOf, listOf } from './unchecked.ts'

type Spec = Pick<NodeSetWithDefaults['spec'], 'slurmd' | 'logfile' | 'template'>

/** With one of these slurmstepd may protect itself. `ALL` holds it. */
const PROTECTING: readonly unknown[] = ['SYS_RESOURCE', 'CAP_SYS_RESOURCE', 'ALL']

/** What the template says of these is added to our own. */
const OURS: readonly unknown[] = [containerNames.slurmd, containerNames.logfile]

/** An unprivileged worker whose pod is not Guaranteed. */
export function findMemoryProblems(spec: Spec): readonly Problem[] {
  return when(!mayProtectItself(spec.slurmd) && !isGuaranteed(spec), () =>
    warn(
      'spec.slurmd.securityContext.privileged',
      'is false, and the pod is not Guaranteed: a job without memory then ends slurmstepd, and is RUNNING until cancelled',
      'Give all containers limits of cpu and memory and the same requests, or add SYS_RESOURCE.',
    ),
  )
}

/** Workers are privileged unless their user says otherwise. */
function mayProtectItself(slurmd: unknown): boolean {
  const { privileged, capabilities } = fieldsOf(fieldsOf(slurmd)['securityContext'])
  return privileged !== false || listOf(fieldsOf(capabilities)['add']).some((one) => PROTECTING.includes(one))
}

/** As the API server sees it: resources of the pod count instead of those of its containers. */
function isGuaranteed({ slurmd, logfile, template }: Spec): boolean {
  const { containers, initContainers, resources } = fieldsOf(template?.spec)
  if (Object.keys(fieldsOf(resources)).length > 0) return areFixed(resources)
  const others = [...listOf(containers), ...listOf(initContainers)].filter(
    (one) => !OURS.includes(fieldsOf(one)['name']),
  )
  return [slurmd, logfile, ...others].every((container) => areFixed(fieldsOf(container)['resources']))
}

/** Cpu and memory have limits, and what is asked for is the same; the API server fills in what is not. */
function areFixed(resources: unknown): boolean {
  const { limits, requests } = fieldsOf(resources)
  return ['cpu', 'memory'].every((name) => {
    const limit = amountOf(fieldsOf(limits)[name])
    return limit !== undefined && limit === (amountOf(fieldsOf(requests)[name]) ?? limit)
  })
}

function amountOf(value: unknown): bigint | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  return whyInvalidQuantity(value) === undefined ? parseQuantity(value).nanos : undefined
}
