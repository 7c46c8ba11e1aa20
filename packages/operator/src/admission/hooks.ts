import type { Clock } from '@slurm-operator/kube'
import { allowed, type Hook, type Logger, type ReviewRequest } from '@slurm-operator/runtime'
import { judgeBinding } from './judge-binding.ts'
import { judgeObject } from './judge-object.ts'
import {
  accountingRules,
  controllerRules,
  loginSetRules,
  nodeSetRules,
  restApiRules,
  tokenRules,
  type KindRules,
} from './kind-rules.ts'
import type { ReferenceReader } from './reference-reader.ts'

/** What hooks need. */
export interface HookTools {
  readonly reader: ReferenceReader
  readonly clock: Clock
  readonly log: Logger
  /** Only these namespaces are ours; none: all are. What happens elsewhere is somebody else's business, and allowed. */
  readonly namespaces?: readonly string[]
}

/** All hooks, at the paths that webhook configurations of people call; for either program to serve. */
export function buildHooks({ reader, clock, log, namespaces = [] }: HookTools): readonly Hook[] {
  const isOurs = ({ namespace = '' }: ReviewRequest) => namespaces.length === 0 || namespaces.includes(namespace)
  const validating = <T, Facts>(rules: KindRules<T, Facts>): Hook => ({
    kind: 'validating',
    path: validatingPath(rules.kind),
    judge: (request) => (isOurs(request) ? judgeObject(rules, request, reader) : allowed),
  })
  return [
    validating(accountingRules),
    validating(controllerRules),
    validating(loginSetRules),
    validating(nodeSetRules),
    validating(restApiRules),
    validating(tokenRules),
    {
      kind: 'mutating',
      path: '/mutate--v1-binding',
      judge: (request) => (isOurs(request) ? judgeBinding(request, { reader, clock, log }) : allowed),
    },
  ]
}

function validatingPath(kind: string): string {
  return `/validate-slinky-slurm-net-v1beta1-${kind.toLowerCase()}`
}
