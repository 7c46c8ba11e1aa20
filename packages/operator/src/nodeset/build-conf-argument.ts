/**
 * The `--conf` argument of slurmd: what it registers with. The entry point of the image evaluates it in a shell, which is
 * how the topology gets in: it is known only when the pod has its Kube node.
 *
 * @module
 */
import { slurmNodeSetName, type NodeSetWithDefaults } from '@slurm-operator/api'
import type { Built, Problem } from '../workload/problem.ts'

/** Closes the single quotes, adds the topology if there is one, and opens them again. */
const TOPOLOGY = `'"\${SLINKY_TOPOLOGY:+ Topology=\${SLINKY_TOPOLOGY}}"'`

type Items = ReadonlyMap<string, readonly string[]>

/** The whole text, with its quotes. */
export function buildConfArgument(nodeSet: Pick<NodeSetWithDefaults, 'metadata' | 'spec'>): Built<string> {
  const { items, problems } = readExtraConf(nodeSet.spec.extraConf)
  const features = ['Feature', 'Features'].flatMap((key) => items.get(key) ?? [])
  const all = new Map(items).set('Features', unique([slurmNodeSetName(nodeSet), ...features]))
  all.delete('Feature')
  const own = [...all].map(([key, values]): Entry => ({ key, text: `${key}=${values.join(',')}` }))
  const entries = all.has('Topology') ? own : [...own, { key: 'Topology', text: '' }]
  return { value: `'${entries.toSorted(byKey).map(withBlank).join('').trimStart()}'`, problems }
}

interface Entry {
  readonly key: string
  /** Empty: whatever the Kube node says. */
  readonly text: string
}

/** The topology brings its own blank, so that nothing is left of it when there is none. */
function withBlank({ text }: Entry): string {
  return text === '' ? TOPOLOGY : ` ${text}`
}

function byKey(one: Entry, other: Entry): number {
  return one.key < other.key ? -1 : 1
}

/** `Key=Value` pairs; keys are written in one way so that repeated ones are found. Quotes would end the argument. */
function readExtraConf(extraConf = ''): { readonly items: Items; readonly problems: readonly Problem[] } {
  const tokens = extraConf.split(/\s+/).filter((token) => token !== '')
  const wrong = tokens.filter((token) => !/^[^=]+=/.test(token) || /['\0]/.test(token))
  if (wrong.length > 0) return { items: new Map(), problems: wrong.map(describe) }
  const items = new Map<string, readonly string[]>()
  for (const token of tokens) {
    const [key = '', ...value] = token.split('=')
    const title = `${key.charAt(0).toUpperCase()}${key.slice(1).toLowerCase()}`
    items.set(title, [...(items.get(title) ?? []), ...value.join('=').split(',')])
  }
  return { items, problems: [] }
}

function describe(token: string): Problem {
  const problem = `has ${JSON.stringify(token)}, which is no Key=Value without quotes. It is left out, and so is the rest.`
  return { path: 'spec.extraConf', problem, severity: 'warning' }
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))].sort()
}
