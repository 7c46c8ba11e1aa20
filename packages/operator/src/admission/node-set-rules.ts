/**
 * What a NodeSet must and should be, besides what its schema says.
 *
 * @module
 */
import type { NodeSet, NodeSetWithDefaults, Problem } from '@slurm-operator/api'
import { equalJson, type JsonValue } from '@slurm-operator/kube'
import { findClaimProblems } from './claim-rules.ts'
import { findExtraConfProblems } from './extra-conf-rules.ts'
import { findHostnameProblems, findSharedHostnames, hostnamePrefix } from './hostname-rules.ts'
import { findMemoryProblems } from './job-memory-rules.ts'
import { quote, refuse, warn, when } from './problem.ts'
import { findProtectionProblems } from './protection-rules.ts'
import type { Reading } from './reading.ts'
import { findEmptyName, findMovedController, findNegative } from './shared-rules.ts'
import { findUpdateProblems } from './update-strategy-rules.ts'

/** What the rules for NodeSets must know about other objects. */
export interface NodeSetFacts {
  /** All NodeSets of the namespace. */
  readonly others: Reading<readonly NodeSet[]>
}

/** What is wrong with a NodeSet, whatever it was before. */
export function findNodeSetProblems(nodeSet: NodeSetWithDefaults, { others }: NodeSetFacts): readonly Problem[] {
  const { spec } = nodeSet
  return [
    ...findEmptyName('spec.controllerRef', spec.controllerRef, 'the Controller'),
    ...findNegative('spec.replicas', spec.replicas),
    ...findNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...findNegative('spec.revisionHistoryLimit', spec.revisionHistoryLimit),
    ...findNegative('spec.ordinalPadding', spec.ordinalPadding),
    ...findUpdateProblems(spec.updateStrategy),
    ...when(spec.ssh?.enabled === true && !spec.ssh.sssdConfRef?.name, () =>
      refuse(
        'spec.ssh.sssdConfRef.name',
        'is empty, but spec.ssh.enabled is true',
        'Write the name of the Secret with sssd.conf.',
      ),
    ),
    ...findHostnameProblems(nodeSet),
    ...(others.kind === 'seen' ? findSharedHostnames(nodeSet, others.value) : []),
    ...findExtraConfProblems(spec.extraConf ?? ''),
    ...findClaimProblems(spec),
    ...findModeProblems(nodeSet),
    ...findMemoryProblems(spec),
    ...findProtectionProblems(nodeSet),
  ]
}

/** What must not change, and what should not. */
export function findNodeSetChanges(before: NodeSetWithDefaults, after: NodeSetWithDefaults): readonly Problem[] {
  const [was, is] = [before.spec, after.spec]
  return [
    ...findMovedController(was.controllerRef, is.controllerRef),
    ...when(!equalJson(claimsOf(was), claimsOf(is)), () =>
      refuse(
        'spec.volumeClaimTemplates',
        'cannot be changed: the claims of existing workers were made from the old ones',
        'Write the old value, or make a new NodeSet.',
      ),
    ),
    ...when(was.scalingMode !== is.scalingMode, () =>
      warn(
        'spec.scalingMode',
        `changes from ${was.scalingMode} to ${is.scalingMode}: all workers are replaced, each once its jobs have ended`,
        'Go on if that is what you want.',
      ),
    ),
    ...findRenamedWorkers(before, after),
  ]
}

function claimsOf({ volumeClaimTemplates }: NodeSetWithDefaults['spec']): JsonValue {
  return (volumeClaimTemplates ?? []) as unknown as JsonValue
}

function findRenamedWorkers(before: NodeSetWithDefaults, after: NodeSetWithDefaults): readonly Problem[] {
  const [was, is] = [hostnamePrefix(before), hostnamePrefix(after)]
  const padding = [before.spec.ordinalPadding, after.spec.ordinalPadding] as const
  const consequence = 'all workers are replaced and get new names in Slurm, each once its jobs have ended'
  return [
    ...when(was !== is, () =>
      warn(
        'spec.template.spec.hostname',
        `changes from ${quote(was)} to ${quote(is)}: ${consequence}`,
        'Go on if that is what you want.',
      ),
    ),
    ...when(padding[0] !== padding[1], () =>
      warn(
        'spec.ordinalPadding',
        `changes from ${padding[0]} to ${padding[1]}: ${consequence}`,
        'Go on if that is what you want.',
      ),
    ),
  ]
}

/** Fields that count in one mode only. */
function findModeProblems({ spec }: NodeSetWithDefaults): readonly Problem[] {
  return when(spec.pinToNode && spec.scalingMode === 'DaemonSet', () =>
    warn(
      'spec.pinToNode',
      'has no effect with spec.scalingMode DaemonSet',
      'Leave it out: a worker stays on its Kube node anyway.',
    ),
  )
}
