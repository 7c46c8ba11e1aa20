/**
 * Files of the charts that are made from other files of the project, without starting anything.
 *
 * @module
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../project.ts'
import { buildKnownValues } from './build-known-values.ts'
import { buildSchema } from './build-schema.ts'
import { printJson } from './print-json.ts'
import { printCrdTemplate } from './print-crd-template.ts'
import { printDifferences } from './print-differences.ts'
import { withValuesTable } from './print-values-table.ts'
import { readValues } from './read-values.ts'

/** Where charts are. */
export const CHARTS = join(ROOT, 'charts')

/** Charts that have values, with the charts that are installed with them. */
const chartsWithValues: Readonly<Record<string, readonly string[]>> = {
  'slurm-operator': ['slurm-operator-crds'],
  slurm: [],
}

const CRDS = join(ROOT, 'packages', 'api', 'crds')

/** Path in the project and wanted text of each file. */
export function buildChartFiles(): ReadonlyMap<string, string> {
  return new Map([
    ...Object.entries(chartsWithValues).flatMap(([chart, subcharts]) => filesFromValues(chart, subcharts)),
    ...crdTemplates(),
    ['docs/reference/chart-differences.md', printDifferences(read('compat/allow-charts.json'))],
  ])
}

function filesFromValues(chart: string, subcharts: readonly string[]): [string, string][] {
  const folder = `charts/${chart}`
  const nodes = readValues(read(`${folder}/values.yaml`))
  return [
    [`${folder}/values.schema.json`, printJson(buildSchema(chart, nodes))],
    [`${folder}/files/known-values.json`, printJson(buildKnownValues(nodes, subcharts))],
    [`${folder}/README.md`, withValuesTable(read(`${folder}/README.md`), nodes)],
    [`${folder}/templates/_unknown-values.tpl`, read('tools/charts/unknown-values.tpl')],
  ]
}

function crdTemplates(): [string, string][] {
  const names = existsSync(CRDS) ? readdirSync(CRDS).filter((name) => name.endsWith('.yaml')) : []
  return names
    .sort()
    .map((name) => [
      `charts/slurm-operator-crds/templates/${name}`,
      printCrdTemplate(readFileSync(join(CRDS, name), 'utf8')),
    ])
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}
