import type { ControllerWithDefaults } from '@slurm-operator/api'
import { equalJson } from '@slurm-operator/kube'
import { buildConfiguration, withHashes, type Configuration } from './build-configuration.ts'
import { findRefusal, readRefusal, type Refusal } from './last-good.ts'
import type { ControllerFacts } from './observe.ts'

/** The configuration that slurmctld gets. */
export interface ChosenConfiguration extends Configuration {
  /** The one that it should get, if slurmctld did not survive that. */
  readonly refused?: Refusal
}

/** What the spec asks for; or what last worked, if slurmctld has ended because of the former. A change is tried again. */
export function chooseConfiguration(
  controller: Pick<ControllerWithDefaults, 'metadata' | 'spec'>,
  facts: ControllerFacts,
): ChosenConfiguration {
  const wanted = buildConfiguration(controller, facts)
  const data = facts.lastGood?.data
  if (controller.spec.external || data === undefined || equalJson(data, wanted.data)) return wanted
  const refused = readRefusal(facts.written, wanted.hash) ?? findRefusal(facts.pods, wanted.hash)
  if (refused === undefined) return wanted
  return { ...withHashes(controller, facts, data), problems: wanted.problems, refused }
}
