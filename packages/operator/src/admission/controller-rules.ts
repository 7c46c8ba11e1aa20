/**
 * What a Controller must and should be, besides what its schema says.
 *
 * @module
 */
import { clusterNameOf, type ControllerWithDefaults, type Problem } from '@slurm-operator/api'
import { findConfigFileProblems } from './config-file-rules.ts'
import type { ControllerFacts } from './controller-facts.ts'
import { quote, refuse, warn, when } from './problem.ts'
import { findChangedJwtKey, findMovedOutside, findOldJwtField, findServiceProblems } from './shared-rules.ts'

const LONGEST_CLUSTER_NAME = 40

/** What is wrong with a Controller, whatever it was before. */
export function findControllerProblems(controller: ControllerWithDefaults, facts: ControllerFacts): readonly Problem[] {
  const { spec } = controller
  return [
    ...findBadClusterName(controller),
    ...findConfigFileProblems(spec.configFileRefs ?? [], facts.configFiles),
    ...findServiceProblems(spec.service),
    ...findUnsharedClaim(controller, facts),
    ...findOldJwtField(spec),
    ...when(!spec.external && !spec.persistence.enabled, () =>
      warn(
        'spec.persistence.enabled',
        'is false: when the pod goes, all queued and running jobs are forgotten',
        'Write true, unless this Slurm cluster is a test.',
      ),
    ),
  ]
}

/** What must not change, and what should not. */
export function findControllerChanges(
  before: ControllerWithDefaults,
  after: ControllerWithDefaults,
): readonly Problem[] {
  const [was, is] = [before.spec, after.spec]
  return [
    ...findRenamedCluster(before, after),
    ...findChangedSlurmKey(was, is),
    ...findChangedJwtKey(was, is),
    ...findMovedState(before, after),
    ...findMovedOutside(was, is, 'slurmctld'),
  ]
}

function findChangedSlurmKey(
  { slurmKeyRef: was }: ControllerWithDefaults['spec'],
  { slurmKeyRef: is }: ControllerWithDefaults['spec'],
): readonly Problem[] {
  const [from, to] = [was?.name ?? '', is?.name ?? '']
  if (from !== to) {
    const advice = 'Write the old name, and change the content of the Secret to rotate the key.'
    return [refuse('spec.slurmKeyRef.name', `cannot be changed from ${quote(from)} to ${quote(to)}`, advice)]
  }
  return when(was?.key !== is?.key, () =>
    warn(
      'spec.slurmKeyRef.key',
      `changes from ${quote(was?.key)} to ${quote(is?.key)}, and workers that run keep the old entry`,
      'Give both entries the same content until all workers have been replaced, or slurmctld loses them and their jobs.',
    ),
  )
}

function findBadClusterName(controller: ControllerWithDefaults): readonly Problem[] {
  const name = clusterNameOf(controller)
  const isDerived = !controller.spec.clusterName
  const whence = isDerived ? 'is empty, and <namespace>_<name> would be' : 'is'
  return [
    ...when(name.length > LONGEST_CLUSTER_NAME, () =>
      refuse(
        'spec.clusterName',
        `${whence} ${quote(name)}: ${name.length} characters, and ${LONGEST_CLUSTER_NAME} are allowed`,
        'Write a shorter one.',
      ),
    ),
    ...when(!/^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(name), () =>
      refuse(
        'spec.clusterName',
        `${whence} ${quote(name)}, which slurm.conf cannot hold`,
        'Use letters, digits, "_", "-" and ".".',
      ),
    ),
  ]
}

function findRenamedCluster(before: ControllerWithDefaults, after: ControllerWithDefaults): readonly Problem[] {
  const [was, is] = [clusterNameOf(before), clusterNameOf(after)]
  return when(was !== is, () =>
    refuse(
      'spec.clusterName',
      `cannot be changed from ${quote(was)} to ${quote(is)}: jobs, state and records are kept under the old name`,
      `Write ${quote(was)}.`,
    ),
  )
}

/** Several slurmctld share one claim, so it must be one that several pods can mount. */
function findUnsharedClaim({ spec }: ControllerWithDefaults, { claim }: ControllerFacts): readonly Problem[] {
  const path = 'spec.persistence.existingClaim'
  const name = quote(spec.persistence.existingClaim)
  if (claim === undefined) return []
  switch (claim.kind) {
    case 'absent':
      return [warn(path, `names the claim ${name}, which does not exist`, 'Make it; slurmctld waits for it.')]
    case 'unknown':
      return [refuse(path, `names the claim ${name}, which could not be checked: ${claim.because}`, 'Try again.')]
    case 'seen':
      return when(!claim.value.includes('ReadWriteMany'), () =>
        refuse(
          path,
          `names the claim ${name}, which only one node can mount (${claim.value.join(', ') || 'no access mode'})`,
          'With spec.ha.enabled, use a claim with the access mode ReadWriteMany.',
        ),
      )
  }
}

function findMovedState(
  { spec: was }: ControllerWithDefaults,
  { spec: is }: ControllerWithDefaults,
): readonly Problem[] {
  const [before, after] = [was.persistence, is.persistence]
  const advice = 'Write the old value: slurmctld would start with an empty state and forget all jobs.'
  if (before.enabled !== after.enabled) {
    const change = `cannot be changed from ${before.enabled} to ${after.enabled}`
    return [refuse('spec.persistence.enabled', change, advice)]
  }
  const [from, to] = [before.existingClaim ?? '', after.existingClaim ?? '']
  return when(after.enabled && from !== to, () =>
    refuse('spec.persistence.existingClaim', `cannot be changed from ${quote(from)} to ${quote(to)}`, advice),
  )
}
