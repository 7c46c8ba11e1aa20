/**
 * What Accountings, RestApis and LoginSets must and should be, besides what their schemas say.
 *
 * @module
 */
import type { AccountingWithDefaults, LoginSetWithDefaults, RestApiWithDefaults, Problem } from '@slurm-operator/api'
import { refuse, when } from './problem.ts'
import {
  findChangedJwtKey,
  findEmptyName,
  findMovedController,
  findMovedOutside,
  findNegative,
  findOldJwtField,
  findServiceProblems,
} from './shared-rules.ts'

/** What is wrong with an Accounting. */
export function findAccountingProblems({ spec }: AccountingWithDefaults): readonly Problem[] {
  return [
    ...findServiceProblems(spec.service),
    ...findOldJwtField(spec),
    ...when(!spec.external && spec.storageConfig === undefined, () =>
      refuse(
        'spec.storageConfig',
        'is missing, and slurmdbd cannot work without a database',
        'Write host and passwordKeyRef of a MariaDB or MySQL, or set spec.external.',
      ),
    ),
  ]
}

/** What must not change about an Accounting. */
export function findAccountingChanges(
  { spec: was }: AccountingWithDefaults,
  { spec: is }: AccountingWithDefaults,
): readonly Problem[] {
  return [...findChangedJwtKey(was, is), ...findMovedOutside(was, is, 'slurmdbd')]
}

/** What is wrong with a RestApi. */
export function findRestApiProblems({ spec }: RestApiWithDefaults): readonly Problem[] {
  return [
    ...findEmptyName('spec.controllerRef', spec.controllerRef, 'the Controller'),
    ...findNegative('spec.replicas', spec.replicas),
    ...findServiceProblems(spec.service),
  ]
}

/** What is wrong with a LoginSet. */
export function findLoginSetProblems({ spec }: LoginSetWithDefaults): readonly Problem[] {
  return [
    ...findEmptyName('spec.controllerRef', spec.controllerRef, 'the Controller'),
    ...findEmptyName('spec.sssdConfRef', spec.sssdConfRef, 'the Secret with sssd.conf'),
    ...findNegative('spec.replicas', spec.replicas),
    ...findServiceProblems(spec.service),
  ]
}

/** What must not change about a LoginSet. */
export function findLoginSetChanges(
  { spec: was }: LoginSetWithDefaults,
  { spec: is }: LoginSetWithDefaults,
): readonly Problem[] {
  return findMovedController(was.controllerRef, is.controllerRef)
}
