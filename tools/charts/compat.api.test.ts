/**
 * Every recorded case of the reference charts, rendered with ours and compared field by field. The recordings lie
 * beside the clone; what may differ, and why, is in `compat/allow-charts.json`.
 *
 * @module
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { ROOT } from '../project.ts'
import { CHARTS } from './chart-files.ts'
import { mergeValues, type Values } from './gen.ts'
import { findHelm } from './helm.ts'

const COMPAT = join(ROOT, '..', 'shared', 'compat')
const why = existsSync(COMPAT) ? undefined : `the recordings are not there: ${COMPAT}`
const OWN_CERTIFICATES = 'the webhook keeps its own certificates; cert-manager is a choice (charts 5)'
const temporary = mkdtempSync(join(tmpdir(), 'compat-charts-'))
afterAll(() => rmSync(temporary, { recursive: true }))

interface Difference {
  readonly object: string
  readonly path: string
  readonly change: string
}
interface Allowance {
  readonly reason: string
  readonly uses: number
}
interface Comparer {
  readonly compareObjects: (expected: unknown, actual: unknown) => readonly Difference[]
  readonly readAllowList: (text: string) => readonly Allowance[]
  readonly findAllowance: (list: readonly Allowance[], difference: Difference, name: string) => Allowance | undefined
}
interface Renderer {
  readonly render: (chart: string, values: string, options: object) => { documents?: unknown[]; failure?: string }
}
interface Reader {
  readonly parseAll: (text: string) => unknown[]
}

describe('rendered charts', async () => {
  test('there is nothing to compare with', ({ skip }) => skip(why !== undefined, why))
  if (why !== undefined) return
  const helm = await findHelm()
  const { compareObjects, readAllowList, findAllowance } = (await import(join(COMPAT, 'compare.mjs'))) as Comparer
  const { render } = (await import(join(COMPAT, 'render.mjs'))) as Renderer
  const { parseAll } = (await import(join(COMPAT, 'lib', 'yaml.mjs'))) as Reader
  const allowList = readAllowList(readFileSync(join(ROOT, 'compat', 'allow-charts.json'), 'utf8'))

  const cases = readdirSync(join(COMPAT, 'charts')).flatMap((chart) =>
    readdirSync(join(COMPAT, 'charts', chart), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ chart, name, folder: join(COMPAT, 'charts', chart, name) })),
  )

  const optionsOf = (folder: string): object => {
    const file = join(folder, 'options.json')
    return { helm, ...(existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {}) }
  }

  /** How a rendering differs from the recording; that one of both fails is a difference of the object `failure`. */
  const findDifferences = (folder: string, chart: string, values: string): readonly Difference[] => {
    const { documents, failure } = render(join(CHARTS, chart), values, optionsOf(folder))
    const shouldFail = existsSync(join(folder, 'rendered.failure.json'))
    if (shouldFail) return failure === undefined ? [{ object: 'failure', path: '', change: 'missing' }] : []
    if (documents === undefined) return [{ object: 'failure', path: failure ?? '', change: 'extra' }]
    return compareObjects(parseAll(readFileSync(join(folder, 'rendered.yaml'), 'utf8')), documents)
  }

  test.for(cases)('$chart: $name', ({ chart, name, folder }) => {
    const differences = findDifferences(folder, chart, join(folder, 'values.yaml'))
    expect(differences.filter((one) => findAllowance(allowList, one, name) === undefined)).toEqual([])
  })

  test.for(cases.filter(({ chart }) => chart === 'slurm-operator'))(
    'with cert-manager, $name has the certificates of the reference',
    ({ chart, name, folder }) => {
      const given = parse(readFileSync(join(folder, 'values.yaml'), 'utf8')) as Values
      const values = join(temporary, `${name}.yaml`)
      writeFileSync(values, stringify(mergeValues({ certManager: { enabled: true } }, given), { version: '1.1' }))
      const stricter = allowList.filter(({ reason }) => reason !== OWN_CERTIFICATES || name === 'no-cert-manager')
      const differences = findDifferences(folder, chart, values)
      expect(differences.filter((one) => findAllowance(stricter, one, name) === undefined)).toEqual([])
    },
  )

  test('a difference is allowed that no case has', () => {
    expect(allowList.filter(({ uses }) => uses === 0).map(({ reason }) => reason)).toEqual([])
  })

  const changedDefaults: Readonly<Record<string, readonly string[]>> = {
    'slurm-operator': ['certManager.enabled', 'operator.image.repository', 'webhook.image.repository'],
  }
  test.for(readdirSync(join(COMPAT, 'charts')))('%s has other defaults', (chart) => {
    const theirs = parse(readFileSync(join(COMPAT, 'charts', chart, 'defaults.yaml'), 'utf8')) as Values
    const ours = parse(readFileSync(join(CHARTS, chart, 'values.yaml'), 'utf8')) as Values
    expect(changedPaths(theirs, ours, '')).toEqual(changedDefaults[chart] ?? [])
  })
})

/** Where a default of theirs is another one in ours. Additions of ours, also within empty maps, are none. */
function changedPaths(theirs: unknown, ours: unknown, path: string): string[] {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isMap(theirs) || !isMap(ours)) return JSON.stringify(theirs) === JSON.stringify(ours) ? [] : [path]
  const deeper = (name: string) => (path === '' ? name : `${path}.${name}`)
  return Object.keys(theirs).flatMap((name) => changedPaths(theirs[name], ours[name], deeper(name)))
}
