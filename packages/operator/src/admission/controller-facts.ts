import type { ControllerWithDefaults } from '@slurm-operator/api'
import type { Reading } from './reading.ts'
import type { ReferenceReader } from './reference-reader.ts'

/** What the rules for Controllers must know about other objects. */
export interface ControllerFacts {
  /** The keys of the ConfigMaps in `configFileRefs`, by name. */
  readonly configFiles: ReadonlyMap<string, Reading<readonly string[]>>
  /** The access modes of `persistence.existingClaim`; undefined where they do not matter. */
  readonly claim: Reading<readonly string[]> | undefined
}

/** Look at what a Controller refers to: all at once, and everything only once. */
export async function observeController(
  { metadata: { namespace }, spec }: ControllerWithDefaults,
  reader: ReferenceReader,
): Promise<ControllerFacts> {
  const names = [...new Set((spec.configFileRefs ?? []).flatMap(({ name }) => (name ? [name] : [])))]
  const claimName = spec.ha?.enabled ? spec.persistence.existingClaim : undefined
  const [configFiles, claim] = await Promise.all([
    Promise.all(names.map(async (name) => [name, await reader.configMapKeys({ namespace, name })] as const)),
    claimName ? reader.claimAccessModes({ namespace, name: claimName }) : undefined,
  ])
  return { configFiles: new Map(configFiles), claim }
}
