import { expectTypeOf, test } from 'vitest'
import type { Condition, Live } from '@slurm-operator/kube'
import { withNodeSetDefaults, type NodeSet } from './node-set.ts'
import { withControllerDefaults, type Controller } from './controller.ts'

declare const nodeSet: Live<NodeSet>
declare const controller: Controller

test('what a user may leave out is optional, and present once defaults are filled in', () => {
  expectTypeOf<NodeSet['spec']['scalingMode']>().toEqualTypeOf<'DaemonSet' | 'StatefulSet' | undefined>()
  expectTypeOf<NodeSet['spec']['controllerRef']>().toEqualTypeOf<{ readonly name?: string }>()
  const full = () => withNodeSetDefaults(nodeSet)
  expectTypeOf(full).returns.toHaveProperty('metadata').toHaveProperty('uid').toEqualTypeOf<string>()
  type Full = ReturnType<typeof full>['spec']
  expectTypeOf<Full['scalingMode']>().toEqualTypeOf<'DaemonSet' | 'StatefulSet'>()
  expectTypeOf<Full['updateStrategy']['rollingUpdate']['maxUnavailable']>().toEqualTypeOf<number | string>()
  expectTypeOf<Full['ssh']>().extract<undefined>().toEqualTypeOf<undefined>()
  expectTypeOf<Full['controllerRef']['name']>().toEqualTypeOf<string>()
})

test('free-form fields have the types of Kubernetes, and conditions are conditions', () => {
  type Spec = ReturnType<typeof defaulted>['spec']
  const defaulted = () => withControllerDefaults(controller)
  expectTypeOf<Spec['slurmctld']>().exclude<undefined>().toHaveProperty('image').toEqualTypeOf<string | undefined>()
  expectTypeOf<NonNullable<Controller['status']>['conditions']>().exclude<undefined>().toExtend<readonly Condition[]>()
})
