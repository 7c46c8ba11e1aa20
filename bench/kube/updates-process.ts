/**
 * The third process: `updates-process.ts KUBECONFIG` changes pods, for both sides in the same way.
 *
 * @module
 */
import { createClient, loadSettings, podResource } from '@slurm-operator/kube'
import { podKey } from './build-pod.ts'
import { inParallel } from './in-parallel.ts'
import { MANAGER } from './marks.ts'
import { serve } from './serve.ts'
import { buildMark, buildUpdate } from './build-update.ts'

/** Change pods until the count is reached or the time is over, then set the mark. */
export interface UpdatesOrder {
  readonly do: 'send'
  readonly pods: number
  readonly updates: number
  readonly mark: string
  readonly mostSeconds: number
}

/** How many it were. */
export interface UpdatesAnswers {
  readonly send: { readonly sent: number; readonly sendSeconds: number }
}

const AT_ONCE = 16
const BY = { fieldManager: MANAGER }

serve<UpdatesOrder, UpdatesAnswers>({ send })

async function send({ pods, updates, mark, mostSeconds }: UpdatesOrder): Promise<UpdatesAnswers['send']> {
  const client = createClient(await loadSettings({ kubeconfig: process.argv[2] ?? '' })).resource(podResource)
  const startMs = performance.now()
  const isTime = () => performance.now() - startMs < mostSeconds * 1000
  const change = async (number: number) => {
    const { part, body } = buildUpdate(number, pods, mark)
    const patch = { type: 'merge', body } as const
    await (part === 'status' ? client.status : client).patch(podKey(number % pods), patch, BY)
  }
  const sent = await inParallel({ count: updates, atOnce: AT_ONCE, goOn: isTime }, change)
  await client.patch(podKey(0), { type: 'merge', body: buildMark(mark) }, BY)
  return { sent, sendSeconds: (performance.now() - startMs) / 1000 }
}
