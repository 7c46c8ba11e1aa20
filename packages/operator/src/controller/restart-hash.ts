import { readLines, readPairs } from '../conf/read-lines.ts'
import { whyRestartNeeded } from '../conf/restart-settings.ts'
import { hashOfValue } from '../workload/hash.ts'

/**
 * Stands for all settings of slurm.conf that need a new pod. It is an annotation of the pod template, so that the pods are
 * replaced when one of them changes, and only then.
 *
 * @param files what else is read only once, such as the keys that tokens are checked with
 */
export function restartHash(slurmConf: string, ...files: readonly (string | undefined)[]): string {
  const keys = new Set(whyRestartNeeded('', slurmConf).map(({ key }) => key.toLowerCase()))
  const settings = readLines(slurmConf).flatMap(({ content }) => {
    const [pair] = readPairs(content).pairs
    return pair !== undefined && keys.has(pair.key.toLowerCase()) ? [`${pair.key.toLowerCase()}=${pair.value}`] : []
  })
  return hashOfValue(JSON.stringify([settings, files.map((file) => file ?? '')]))
}
