import {
  controllerResource,
  withControllerDefaults,
  type Controller,
  type ControllerWithDefaults,
} from '@slurm-operator/api'
import type { ComponentRoom } from '../component/room.ts'
import { actController } from './act.ts'
import { buildController } from './build.ts'
import { judgeController } from './judge.ts'
import { observeController, type ControllerFacts } from './observe.ts'

/** The control plane of one Slurm cluster: Services, configuration, slurmctld pods, metrics. */
export const controllerRoom: ComponentRoom<Controller, ControllerFacts, ControllerWithDefaults> = {
  name: 'controller',
  resource: controllerResource,
  cache: ({ caches }) => caches.controllers,
  withDefaults: withControllerDefaults,
  observe: (at) => observeController(at),
  build: buildController,
  act: actController,
  judge: judgeController,
}
