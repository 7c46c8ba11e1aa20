/**
 * Make the generated files of the charts and the plain manifests again. Run it with `node tools/charts/main.ts`.
 *
 * @module
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../project.ts'
import { buildChartFiles } from './chart-files.ts'
import { findHelm } from './helm.ts'
import { renderManifests } from './manifests.ts'

const helm = await findHelm()
const chartFiles = buildChartFiles()
writeAll(chartFiles)
const manifests = renderManifests(helm) // from the charts as they are now
writeAll(manifests)
console.log(`${chartFiles.size + manifests.size} files`)

function writeAll(files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true })
    writeFileSync(join(ROOT, path), text)
  }
}
