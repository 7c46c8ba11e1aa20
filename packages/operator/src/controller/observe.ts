import {
  configFiles,
  controllerConfigMapName,
  controllerStatefulSetName,
  slurmNodeSetName,
  withAccountingDefaults,
  withNodeSetDefaults,
  type AccountingWithDefaults,
  type ControllerWithDefaults,
  type NodeSetWithDefaults,
} from '@slurm-operator/api'
import type { ConfigMap, PersistentVolumeClaim } from '@slurm-operator/kube'
import { unknown } from '@slurm-operator/slurm'
import { observeStatefulSet } from '../component/observe-workload.ts'
import type { RoomPass } from '../component/room.ts'
import { observeKeys, type KeyFacts } from '../keys/observe-keys.ts'
import type { RandomBytes } from '../keys/generate-keys.ts'
import type { Kept } from '../world/trim.ts'
import { findFormerNodeSets, type FormerNodeSets } from './former-node-sets.ts'
import { lastGoodName } from './last-good.ts'
import { readPodConfiguration, type PodConfiguration } from './pod-configuration.ts'
import { mapNames, type FoundMaps } from './referenced-files.ts'

/** What a Controller is built from, besides itself. */
export interface ControllerFacts {
  /** None for an external Controller: its keys are not ours. */
  readonly keys: KeyFacts | undefined
  /** The one that it refers to; undefined: it refers to none, or to one that does not exist. */
  readonly accounting: Kept<AccountingWithDefaults> | undefined
  /** All that name this Controller, also those that are being deleted: jobs may still name their partitions. */
  readonly nodeSets: readonly Kept<NodeSetWithDefaults>[]
  readonly maps: FoundMaps
  /** The claim that the spec names. */
  readonly existingClaim: Kept<PersistentVolumeClaim> | undefined
  readonly hasServiceMonitors: boolean
  /** The ConfigMap with slurm.conf as it is now, and the one that slurmctld last worked with. */
  readonly written: Kept<ConfigMap> | undefined
  readonly lastGood: Kept<ConfigMap> | undefined
  readonly pods: readonly PodConfiguration[]
  /** NodeSets that are gone, whose partitions jobs still name. */
  readonly formerNodeSets: FormerNodeSets
  readonly nowMs: number
}

type ControllerPass = RoomPass<ControllerWithDefaults>

/** Read everything that a Controller refers to. */
export async function observeController(at: ControllerPass, randomBytes?: RandomBytes): Promise<ControllerFacts> {
  const { object, world } = at
  const { namespace, name } = object.metadata
  const { external, accountingRef, persistence } = object.spec
  const accounting = accountingRef?.name && world.caches.accountings.get({ namespace, name: accountingRef.name })
  const { existingClaim } = persistence
  const nodeSets = world.caches.nodeSets.by('controller', `${namespace}/${name}`).map(withNodeSetDefaults)
  const configured = await observeConfigured(at)
  return {
    keys: external ? undefined : await observeKeys(object, at, randomBytes),
    accounting: accounting ? withAccountingDefaults(accounting) : undefined,
    nodeSets,
    formerNodeSets: observeFormerNodeSets(at, nodeSets, configured),
    maps: external ? new Map() : await readMaps(at),
    existingClaim: existingClaim ? world.caches.claims.get({ namespace, name: existingClaim }) : undefined,
    hasServiceMonitors: world.serviceMonitors !== undefined,
    ...configured,
  }
}

/** Without a connection we know nothing of jobs: a restarted operator has none yet, and it may never have one. */
function observeFormerNodeSets(
  { object, world }: ControllerPass,
  nodeSets: readonly Kept<NodeSetWithDefaults>[],
  { written, lastGood }: Pick<ControllerFacts, 'written' | 'lastGood'>,
): FormerNodeSets {
  const { namespace, name } = object.metadata
  return findFormerNodeSets({
    written: (written ?? lastGood)?.data?.[configFiles.slurmConf] ?? '', // somebody may have deleted the one
    present: nodeSets.map(slurmNodeSetName),
    extraConf: object.spec.extraConf,
    jobs: world.slurm.find(`${namespace}/${name}`)?.view.jobs() ?? unknown('no-client'),
  })
}

/** What slurmctld made of former configurations. */
async function observeConfigured(
  at: ControllerPass,
): Promise<Pick<ControllerFacts, 'written' | 'lastGood' | 'pods' | 'nowMs'>> {
  const { object, world, pass, nowMs } = at
  const { namespace, name } = object.metadata
  const read = (map: string) => world.configMaps.read({ namespace, name: map }, { signal: pass.signal })
  const { pods } = observeStatefulSet(world, { namespace, name: controllerStatefulSetName(name) })
  return {
    written: await read(controllerConfigMapName(name)),
    lastGood: await read(lastGoodName(name)),
    pods: pods.map(readPodConfiguration),
    nowMs,
  }
}

async function readMaps({ object, world, pass }: ControllerPass): Promise<FoundMaps> {
  const { namespace } = object.metadata
  const read = (name: string) => world.configMaps.read({ namespace, name }, { signal: pass.signal })
  const names = mapNames(object.spec)
  const maps = await Promise.all(names.map(read))
  return new Map(names.map((name, index) => [name, maps[index]]))
}
