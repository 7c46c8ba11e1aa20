/**
 * Which labels and annotations of a resource its children get. People's own are copied. Not copied is what other
 * programs write for themselves: it says whose the resource is, not whose the children are, and it changes with every
 * `kubectl apply` or chart upgrade, which would restart slurmctld for nothing.
 *
 * @module
 */

/** Written by clients for their own use, about the resource alone. */
const clientKeys: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deployment.kubernetes.io/revision',
  'slinky.slurm.net/generate-keys',
  'helm.sh/hook',
  'helm.sh/hook-delete-policy',
  'helm.sh/hook-weight',
  'helm.sh/resource-policy',
])

/** Groups of keys by which GitOps tools and Helm track what they made. */
const trackers: readonly string[] = [
  'argocd.argoproj.io',
  'fluxcd.io',
  'meta.helm.sh',
  'config.kubernetes.io',
  'config.k8s.io',
  'internal.config.kubernetes.io',
  'kapp.k14s.io',
  'objectset.rio.cattle.io',
  'applyset.kubernetes.io',
]

/** True of the resource, but different after each upgrade of a chart: fine on objects, a restart on pods. */
const volatileKeys: ReadonlySet<string> = new Set(['helm.sh/chart', 'app.kubernetes.io/version'])

/** The entries that a child of the resource gets. */
export function inheritEntries(entries: Entries | null | undefined): Entries {
  return keep(entries, (key) => !clientKeys.has(key) && !isTracked(key))
}

/** The entries that may stand on a pod. */
export function withoutVolatile(entries: Entries | null | undefined): Entries {
  return keep(entries, (key) => !volatileKeys.has(key))
}

/** Labels or annotations. */
export type Entries = Readonly<Record<string, string>>

function isTracked(key: string): boolean {
  const [group = ''] = key.split('/')
  return trackers.some((tracker) => group === tracker || group.endsWith(`.${tracker}`))
}

function keep(entries: Entries | null | undefined, isKept: (key: string) => boolean): Entries {
  return Object.fromEntries(Object.entries(entries ?? {}).filter(([key]) => isKept(key)))
}
