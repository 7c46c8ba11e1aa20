import type { Kubectl } from '../cluster/kubectl.ts'
import { untilTrue } from '../machine/until.ts'
import type { Progress } from '../progress/progress.ts'

interface Resource {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly generation?: number }
  readonly status?: { readonly conditions?: readonly Condition[] }
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message?: string
  readonly observedGeneration?: number
}

const KINDS = ['controllers', 'accountings', 'restapis', 'loginsets', 'nodesets', 'tokens', 'clusters']
const ALL = KINDS.map((plural) => `${plural}.slinky.slurm.net`).join(',')

/** What to wait for, and whom to tell. */
export interface ReadyOptions {
  readonly namespace: string
  readonly progress: Progress
  readonly timeoutMs: number
}

/** Wait until all our resources of a namespace are Ready, and tell what is waited for whenever that changes. */
export async function untilReady(kubectl: Kubectl, { namespace, progress, timeoutMs }: ReadyOptions): Promise<void> {
  let told = ''
  await untilTrue(
    `the resources in ${namespace} to be Ready`,
    async () => {
      const text = await kubectl(['get', ALL, '-n', namespace, '-o', 'json'])
      const waits = (JSON.parse(text) as { readonly items: readonly Resource[] }).items.flatMap(whatItWaitsFor)
      const words = waits.join('; ')
      if (words !== told && words !== '') progress.say(`waiting: ${words}`)
      told = words
      return waits.length === 0
    },
    { timeoutMs, everyMs: 1_000 },
  )
}

function whatItWaitsFor({ kind, metadata, status }: Resource): string[] {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const isCurrent = (ready?.observedGeneration ?? 0) >= (metadata.generation ?? 0)
  if (ready?.status === 'True' && isCurrent) return []
  const why = ready === undefined || !isCurrent ? 'nobody has looked at it yet' : ready.message || ready.reason
  return [`${kind} ${metadata.name} (${why.replace(/\.$/, '')})`]
}
