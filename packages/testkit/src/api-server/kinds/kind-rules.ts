import type { ResourceType } from '../resources/resource-type.ts'
import { definitionRules } from './definition-rules.ts'
import { namespaceRules } from './namespace-rules.ts'
import { podRules } from './pod-rules.ts'
import type { KindRules } from './rules.ts'
import { secretRules, configMapRules } from './secret-rules.ts'
import { claimRules, serviceRules } from './service-rules.ts'
import {
  budgetRules,
  daemonSetRules,
  deploymentRules,
  jobRules,
  replicaSetRules,
  revisionRules,
  statefulSetRules,
} from './workload-rules.ts'

const rules: Readonly<Record<string, KindRules>> = {
  '/pods': podRules,
  '/namespaces': namespaceRules,
  '/secrets': secretRules,
  '/configmaps': configMapRules,
  '/services': serviceRules,
  '/persistentvolumeclaims': claimRules,
  'apps/deployments': deploymentRules,
  'apps/statefulsets': statefulSetRules,
  'apps/daemonsets': daemonSetRules,
  'apps/replicasets': replicaSetRules,
  'apps/controllerrevisions': revisionRules,
  'batch/jobs': jobRules,
  'policy/poddisruptionbudgets': budgetRules,
  'apiextensions.k8s.io/customresourcedefinitions': definitionRules,
}

/** The rules of a kind; most have none. */
export function rulesOf({ group, plural }: ResourceType): KindRules {
  return rules[`${group}/${plural}`] ?? {}
}
