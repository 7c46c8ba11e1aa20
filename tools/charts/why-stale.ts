import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../project.ts'
import { buildChartFiles } from './chart-files.ts'
import { whyManifestsStale } from './manifests.ts'

/** Why the generated files of the charts must be made again, or undefined if they need not. Nothing is started for it. */
export function whyStale(): string | undefined {
  const stale = [...buildChartFiles()].find(([path, text]) => textOf(path) !== text)
  return stale === undefined ? whyManifestsStale() : `${stale[0]} is not what its sources say`
}

function textOf(path: string): string | undefined {
  const file = join(ROOT, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
