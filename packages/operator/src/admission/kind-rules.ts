/**
 * The rules of each kind, in one form: what to look at, what is wrong, what must not change.
 *
 * @module
 */
import {
  withAccountingDefaults,
  withControllerDefaults,
  withLoginSetDefaults,
  withNodeSetDefaults,
  withRestApiDefaults,
  withTokenDefaults,
  type AccountingWithDefaults,
  type ControllerWithDefaults,
  type LoginSetWithDefaults,
  type NodeSetWithDefaults,
  type RestApiWithDefaults,
  type TokenWithDefaults,
  type OurKind,
  type Problem,
} from '@slurm-operator/api'
import {
  findAccountingChanges,
  findAccountingProblems,
  findLoginSetChanges,
  findLoginSetProblems,
  findRestApiProblems,
} from './component-rules.ts'
import { observeController, type ControllerFacts } from './controller-facts.ts'
import { findControllerChanges, findControllerProblems } from './controller-rules.ts'
import { findNodeSetChanges, findNodeSetProblems, type NodeSetFacts } from './node-set-rules.ts'
import type { ReferenceReader } from './reference-reader.ts'
import { findTokenChanges, findTokenProblems } from './token-rules.ts'

/** Everything about one kind. The object has all its defaults when rules see it. */
export interface KindRules<T, Facts> {
  readonly kind: OurKind
  readonly withDefaults: (object: T) => T
  /** Reads what the rules must know about other objects. */
  readonly observe: (object: T, reader: ReferenceReader) => Promise<Facts>
  readonly find: (object: T, facts: Facts) => readonly Problem[]
  readonly findChanges: (before: T, after: T) => readonly Problem[]
  /** What people should know who delete one. */
  readonly whenDeleted?: string
}

/** For rules that need nothing but the object. */
const nothing = () => Promise.resolve(undefined)

/** For kinds of which everything may change. */
const noChanges = () => []

/** Rules of Controllers. */
export const controllerRules: KindRules<ControllerWithDefaults, ControllerFacts> = {
  kind: 'Controller',
  withDefaults: withControllerDefaults,
  observe: observeController,
  find: findControllerProblems,
  findChanges: findControllerChanges,
  whenDeleted: 'its slurmctld ends; NodeSets, LoginSets and RestApis that name it stop working',
}

/** Rules of Accountings. */
export const accountingRules: KindRules<AccountingWithDefaults, undefined> = {
  kind: 'Accounting',
  withDefaults: withAccountingDefaults,
  observe: nothing,
  find: findAccountingProblems,
  findChanges: findAccountingChanges,
  whenDeleted: 'its slurmdbd ends; Controllers that name it keep their records until there is another one',
}

/** Rules of RestApis. */
export const restApiRules: KindRules<RestApiWithDefaults, undefined> = {
  kind: 'RestApi',
  withDefaults: withRestApiDefaults,
  observe: nothing,
  find: findRestApiProblems,
  findChanges: noChanges,
}

/** Rules of LoginSets. */
export const loginSetRules: KindRules<LoginSetWithDefaults, undefined> = {
  kind: 'LoginSet',
  withDefaults: withLoginSetDefaults,
  observe: nothing,
  find: findLoginSetProblems,
  findChanges: findLoginSetChanges,
}

/** Rules of NodeSets. */
export const nodeSetRules: KindRules<NodeSetWithDefaults, NodeSetFacts> = {
  kind: 'NodeSet',
  withDefaults: withNodeSetDefaults,
  observe: async ({ metadata: { namespace } }, reader) => ({ others: await reader.nodeSets(namespace) }),
  find: findNodeSetProblems,
  findChanges: findNodeSetChanges,
  whenDeleted: 'its workers end, and so do the jobs that run on them; to wait for the jobs, scale it to 0 first',
}

/** Rules of Tokens. */
export const tokenRules: KindRules<TokenWithDefaults, undefined> = {
  kind: 'Token',
  withDefaults: withTokenDefaults,
  observe: nothing,
  find: findTokenProblems,
  findChanges: findTokenChanges,
}
