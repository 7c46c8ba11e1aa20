import type { Problem } from '@slurm-operator/api'
import { quote, refuse, warn, when } from './problem.ts'
import type { Reading } from './reading.ts'

/** Files of /etc/slurm that the operator writes itself. */
const ownFiles = new Set(['slurm.conf', 'slurmdbd.conf'])

/** Files that Slurm looks for there. */
const knownFiles = new Set([
  ...['acct_gather.conf', 'burst_buffer.conf', 'cgroup.conf', 'cli_filter.lua', 'gres.conf', 'helpers.conf'],
  ...['job_container.conf', 'job_submit.lua', 'mpi.conf', 'namespace.yaml', 'oci.conf', 'plugstack.conf'],
  ...['topology.conf', 'topology.yaml'],
])

/** What is wrong with the ConfigMaps whose entries become files of slurmctld. */
export function findConfigFileProblems(
  references: readonly { readonly name?: string }[],
  files: ReadonlyMap<string, Reading<readonly string[]>>,
): readonly Problem[] {
  return references.flatMap(({ name = '' }, index) => {
    const path = `spec.configFileRefs[${index}].name`
    if (name === '') return [refuse(path, 'is empty', 'Write the name of a ConfigMap.')]
    return findMapProblems(path, name, files.get(name) ?? { kind: 'absent' })
  })
}

/** One that does not exist is no error: ConfigMap and Controller may be applied together, in any order. */
function findMapProblems(path: string, name: string, map: Reading<readonly string[]>): readonly Problem[] {
  const named = `names the ConfigMap ${quote(name)}`
  switch (map.kind) {
    case 'absent':
      return [warn(path, `${named}, which does not exist`, 'Make it; its files are added when it is there.')]
    case 'unknown':
      return [refuse(path, `${named}, which could not be checked: ${map.because}`, 'Try again.')]
    case 'seen':
      return map.value.flatMap((key) => findKeyProblems(path, named, key))
  }
}

function findKeyProblems(path: string, named: string, key: string): readonly Problem[] {
  if (ownFiles.has(key)) {
    const advice = 'Take it out of the ConfigMap, and write what you need into spec.extraConf.'
    return [refuse(path, `${named}, which has an entry ${quote(key)} that the operator writes itself`, advice)]
  }
  return when(!knownFiles.has(key), () =>
    warn(path, `${named}, whose entry ${quote(key)} is no file that Slurm looks for by itself`, 'Is it misspelt?'),
  )
}
