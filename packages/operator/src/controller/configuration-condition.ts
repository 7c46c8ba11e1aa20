import { conditionTypes } from '@slurm-operator/api'
import type { WantedCondition } from '@slurm-operator/kube'
import { lineOf } from '../reasons/reasons.ts'
import type { Problem } from '../workload/problem.ts'
import { withoutAway } from './away-pods.ts'
import type { FormerNodeSets } from './former-node-sets.ts'
import type { Refusal } from './last-good.ts'
import { hasSurelyRead, lastToldMs, NO_CONNECTION_MS, type ConfigurationPicture } from './plan-configuration.ts'
import type { PodConfiguration } from './pod-configuration.ts'
import { isLeaving } from './pods.ts'

/** Whether slurmctld uses the configuration that it should. */
export const CONFIGURATION_APPLIED = conditionTypes.configurationApplied

type Line = ReturnType<typeof lineOf>

/** What users read about it. */
export function configurationCondition(
  picture: ConfigurationPicture,
  observedGeneration: number,
  refused?: Refusal,
): WantedCondition {
  const line = refused === undefined ? describe(picture) : lineOf('ConfigurationRefused', refusedText(refused.words))
  return { type: CONFIGURATION_APPLIED, observedGeneration, ...line }
}

function describe(picture: ConfigurationPicture): Line {
  const pods = withoutAway(picture.pods, picture.nowMs).filter(({ pod }) => !isLeaving(pod))
  const { wanted, isLeftToSidecar, isRollingOut } = picture
  if (pods.length === 0) return lineOf('NoPods', 'No slurmctld runs yet.')
  if (isLeftToSidecar) return lineOf('LeftToSidecar', 'The reconfigure container tells slurmctld of every change.')
  if (pods.every(({ used }) => used === wanted)) return lineOf('Applied', 'slurmctld has read the configuration.')
  const refused = pods.find((pod) => pod.refused !== undefined && pod.told?.hash === wanted)?.refused
  if (refused !== undefined) return lineOf('ConfigurationRefused', refusedText(refused.words))
  if (isRollingOut) return lineOf('RollingOut', 'A changed setting needs a restart: the pods are being replaced.')
  if (pods.every(({ asked }) => asked === wanted))
    return lineOf('Reconfigured', 'slurmctld was asked to read it, and will be asked once more to be sure.')
  return describePending({ ...picture, pods })
}

function describePending({ wanted, pods, connection, nowMs }: ConfigurationPicture): Line {
  const isTold = pods.every(({ told }) => told?.hash === wanted)
  if (!isTold) return lineOf('ConfigurationPending', BEING_BROUGHT)
  if (hasSurelyRead(pods, wanted)) return lineOf('ReadAtStart', 'slurmctld has read it when it started.')
  if (connection === 'reachable') return lineOf('ConfigurationPending', BEING_BROUGHT)
  if (nowMs - lastToldMs(pods) < NO_CONNECTION_MS)
    return lineOf('ConfigurationPending', 'We wait for an answer of slurmrestd.')
  return lineOf('CannotReconfigure', noConnectionText(pods))
}

const BEING_BROUGHT = 'The pods get the changed files, then slurmctld is asked.'

function noConnectionText(pods: readonly PodConfiguration[]): string {
  const names = pods.map(({ pod }) => pod.metadata.name).join(' ')
  return (
    'Cannot ask slurmctld to read its changed configuration: slurmrestd does not answer, or there is none. ' +
    `Create a RestApi for this Controller, set inplaceReconfigure: true, or restart: kubectl delete pod ${names}`
  )
}

function refusedText(words: string): string {
  return `slurmctld goes on with its former configuration: ${words}. Correct the configuration; then it is tried at once.`
}

/** What could not be written stands in front: the rest is in use, but somebody waits for this. */
export function withLeftOut(condition: WantedCondition, problems: readonly Problem[]): WantedCondition {
  const leftOut = problems.filter(({ severity }) => severity === 'warning')
  if (leftOut.length === 0) return condition
  const told = leftOut.map(({ path, problem }) => `${path} ${problem}`).join(' ')
  return { ...condition, ...lineOf('LeftOut', `${told} ${condition.message}`) }
}

/** So many are named: a condition is no list. */
const NAMED = 5

/**
 * Partitions that wait for their last jobs are in order: they change the words and nothing else, and those only when one
 * comes or goes, or Slurm falls silent.
 */
export function withFormer(condition: WantedCondition, { lines, isTold }: FormerNodeSets): WantedCondition {
  if (lines.length === 0) return condition
  const names = lines.map(({ slurmName }) => slurmName).toSorted()
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  const why = isTold ? ', which jobs still name' : ' until Slurm tells whether jobs still name them'
  const told = `slurm.conf keeps deleted NodeSets and their partitions${why}: ${names.slice(0, NAMED).join(', ')}${more}.`
  return { ...condition, message: `${told} ${condition.message}` }
}
