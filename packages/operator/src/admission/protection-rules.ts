/**
 * What keeps jobs alive when other programs end pods, and the annotations that switch it on. A switch that is written wrong
 * is silently off, which its author learns when the jobs are gone: so it is said here.
 *
 * @module
 */
import { annotationKeys, YES, type NodeSetWithDefaults, type Problem } from '@slurm-operator/api'
import { quote, warn, when } from './problem.ts'

const switches = [annotationKeys.drainOnDelete, annotationKeys.protectUntilDrained]
const NO = 'false'

/** What its author should know about evictions and deletions. */
export function findProtectionProblems({ metadata, spec }: NodeSetWithDefaults): readonly Problem[] {
  const annotations = metadata.annotations ?? {}
  const untilDrained = annotationKeys.protectUntilDrained
  return [
    ...switches.flatMap((key) => findWrongSwitch(key, annotations[key])),
    ...when(!spec.workloadDisruptionProtection, () =>
      warn(
        'spec.workloadDisruptionProtection',
        'is false: kubectl drain then ends workers while their jobs run',
        'Leave it out, or write true.',
      ),
    ),
    ...when(!spec.workloadDisruptionProtection && annotations[untilDrained] === YES, () =>
      warn(
        pathOf(untilDrained),
        'has no effect, because spec.workloadDisruptionProtection is false',
        'Write true there, or take the annotation away.',
      ),
    ),
  ]
}

function findWrongSwitch(key: string, value: unknown): readonly Problem[] {
  return when(value !== undefined && value !== YES && value !== NO, () =>
    warn(pathOf(key), `is ${quote(value)}, which means ${NO}`, `Write ${quote(YES)} or ${quote(NO)}.`),
  )
}

function pathOf(annotation: string): string {
  return `metadata.annotations[${annotation}]`
}
