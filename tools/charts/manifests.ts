/**
 * Plain manifests for people without Helm: what the charts render, less what only Helm needs.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stringify } from 'yaml'
import { ROOT } from '../project.ts'
import { runHelm } from './helm.ts'
import { readRendered, type Rendered } from './read-rendered.ts'

interface Manifest {
  readonly path: string
  readonly about: string
  readonly namespace: string
  readonly charts: readonly { readonly chart: string; readonly release: string; readonly words?: readonly string[] }[]
}

/** The two files, and what each is rendered from. */
const manifests: readonly Manifest[] = [
  {
    path: 'examples/install/operator.yaml',
    about: 'The operator, its webhook and its kinds: kubectl apply --server-side -f operator.yaml',
    namespace: 'slinky',
    charts: [
      { chart: 'slurm-operator-crds', release: 'slurm-operator-crds' },
      { chart: 'slurm-operator', release: 'slurm-operator' },
    ],
  },
  {
    path: 'examples/install/slurm-cluster.yaml',
    about: 'A small Slurm cluster, once the operator is ready: kubectl apply --server-side -f slurm-cluster.yaml',
    namespace: 'slurm',
    charts: [
      {
        chart: 'slurm',
        release: 'slurm',
        words: ['--values', join(ROOT, 'examples', 'install', 'slurm-cluster.values.yaml')],
      },
    ],
  },
]

const MARK = '# Made from the charts with the hash '

/** Path and text of both, from the charts as they are on disk. */
export function renderManifests(helm: string): ReadonlyMap<string, string> {
  return new Map(manifests.map((manifest) => [manifest.path, formatted(manifest.path, printManifest(manifest, helm))]))
}

/** Why a manifest must be made again, or undefined. Nothing is rendered for it. */
export function whyManifestsStale(): string | undefined {
  const hash = hashOfCharts()
  const stale = manifests.find(({ path }) => !readFileSync(join(ROOT, path), 'utf8').includes(`${MARK}${hash}`))
  return stale === undefined ? undefined : `${stale.path} was made from other charts`
}

function printManifest({ about, namespace, charts }: Manifest, helm: string): string {
  const objects = charts.flatMap(({ chart, release, words = [] }) =>
    readRendered(render(helm, ['template', release, join(ROOT, 'charts', chart), '--namespace', namespace, ...words])),
  )
  const all = [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, ...objects.map(withoutHelm)]
  const head = `# ${about}\n${MARK}${hashOfCharts()} by npm run generate.\n`
  return (
    head + all.map((object) => `---\n${stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })}`).join('')
  )
}

function render(helm: string, words: readonly string[]): string {
  const { ok, stdout, stderr } = runHelm(helm, [...words, '--kube-version', '1.36.0', '--skip-tests'])
  if (!ok) throw new Error(`Cannot render the charts: ${stderr}`)
  return stdout
}

/** As `npm run format` would leave it, so that formatting changes nothing afterwards. */
function formatted(path: string, input: string): string {
  const program = join(ROOT, 'node_modules', '.bin', 'oxfmt')
  const options = { cwd: ROOT, input, encoding: 'utf8', timeout: 60_000, maxBuffer: 1 << 28 } as const
  const { status, stdout, stderr } = spawnSync(program, [`--stdin-filepath=${path}`], options)
  if (status !== 0) throw new Error(`Cannot format ${path}: ${stderr}`)
  return stdout
}

/** Without Helm nobody reads its labels, and a version on them would lie after the first hand-made change. */
function withoutHelm(object: Rendered): Rendered {
  const dropped = ['helm.sh/chart', 'app.kubernetes.io/managed-by', 'helm.sh/resource-policy']
  return JSON.parse(
    JSON.stringify(object, (key, value: unknown) => (dropped.includes(key) ? undefined : value)),
  ) as Rendered
}

/** A hash over everything that decides what is rendered. */
function hashOfCharts(): string {
  const hash = createHash('sha256')
  const inputs = [
    ...filesBelow(join(ROOT, 'charts')),
    join(ROOT, 'examples', 'install', 'slurm-cluster.values.yaml'),
    import.meta.filename,
  ]
  for (const file of inputs)
    hash
      .update(`${relative(ROOT, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
