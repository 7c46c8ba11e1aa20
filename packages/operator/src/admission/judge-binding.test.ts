import { applyJsonPatch, systemClock, type JsonObject } from '@slurm-operator/kube'
import { silentLogger, type ReviewRequest } from '@slurm-operator/runtime'
import { describe, expect, test, vi } from 'vitest'
import { readerOf, requestOf, type Findings } from './gen.ts'
import { buildHooks } from './hooks.ts'

const TOPOLOGY = 'topology.slinky.slurm.net/spec'
const worker = { labels: { 'app.kubernetes.io/name': 'slurmd' } }
const world: Findings = {
  pods: { worker, other: { labels: { 'app.kubernetes.io/name': 'web' } }, bare: {}, hidden: new Error('no answer') },
  kubeNodes: { known: { annotations: { [TOPOLOGY]: 'topo-block:b0' } }, plain: {}, hidden: new Error('forbidden') },
}

function bindingOf(pod: string, kubeNode: string, metadata: JsonObject = {}): ReviewRequest {
  const object = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: pod, namespace: 'slurm', ...metadata },
    target: { apiVersion: 'v1', kind: 'Node', name: kubeNode },
  }
  return requestOf({ object, name: pod, subResource: 'binding' })
}

async function judge(request: ReviewRequest, namespaces: readonly string[] = [], reader = readerOf(world)) {
  const hook = buildHooks({ reader, clock: systemClock, log: silentLogger, namespaces }).at(-1)
  if (hook?.kind !== 'mutating') throw new Error('the binding hook is missing')
  return hook.judge(request, AbortSignal.timeout(1000))
}

/** The annotations of the binding afterwards, which the API server copies to the pod. */
async function annotationsAfter(request: ReviewRequest, namespaces?: readonly string[]) {
  const verdict = await judge(request, namespaces)
  if (!verdict.allowed) return 'denied'
  const { metadata } = applyJsonPatch(request.object as JsonObject, verdict.patch ?? []) as {
    metadata: { annotations?: JsonObject }
  }
  return metadata.annotations
}

describe('the binding webhook prevents that', () => {
  const cases: readonly { name: string; request: ReviewRequest; annotations?: JsonObject }[] = [
    {
      name: 'NS-475, NS-483: a worker starts without its topology',
      request: bindingOf('worker', 'known'),
      annotations: { [TOPOLOGY]: 'topo-block:b0' },
    },
    {
      name: 'NS-476: a worker keeps a topology from elsewhere',
      request: bindingOf('worker', 'plain', { annotations: { [TOPOLOGY]: 'old' } }),
      annotations: { [TOPOLOGY]: '' },
    },
    {
      name: 'other annotations are lost',
      request: bindingOf('worker', 'known', { annotations: { a: 'b' } }),
      annotations: { a: 'b', [TOPOLOGY]: 'topo-block:b0' },
    },
    { name: 'NS-477: a pod of somebody else is changed', request: bindingOf('other', 'known') },
    { name: 'NS-478: a pod without labels stops the webhook', request: bindingOf('bare', 'known') },
    { name: 'NS-480: a pod that is too new to be seen cannot be bound', request: bindingOf('unheard-of', 'known') },
    { name: 'NS-481: no pod can be bound while pods cannot be read', request: bindingOf('hidden', 'known') },
    { name: 'a worker cannot be bound while Kube nodes cannot be read', request: bindingOf('worker', 'hidden') },
    { name: 'NS-479: a worker cannot be bound to a Kube node that is gone', request: bindingOf('worker', 'gone') },
  ]
  for (const { name, request, annotations } of cases) {
    test(name, async () => expect(await annotationsAfter(request)).toEqual(annotations))
  }

  test('a request that is no binding is refused', async () => {
    const hostile: readonly Partial<ReviewRequest>[] = [{}, { object: 5 }, { object: { metadata: null, target: [] } }]
    for (const request of hostile)
      expect(await judge(requestOf({ subResource: 'binding', ...request }))).toEqual({ allowed: true })
    expect(await judge(requestOf({ object: bindingOf('worker', 'known').object }))).toEqual({ allowed: true })
  })

  test('a webhook of some namespaces meddles with others', async () => {
    expect(await annotationsAfter(bindingOf('worker', 'known'), ['elsewhere'])).toBeUndefined()
    expect(await annotationsAfter(bindingOf('worker', 'known'), ['slurm'])).toBeDefined()
  })

  test('a server that never answers makes every binding late, which is a no', async () => {
    vi.useFakeTimers()
    try {
      const silent = { ...readerOf(world), podMarks: () => new Promise<never>(() => {}) }
      const verdict = judge(bindingOf('worker', 'known'), [], silent)
      await vi.advanceTimersByTimeAsync(900) // what a handler gets when the configuration says one second
      expect(await Promise.race([verdict, Promise.resolve('late')])).toEqual({ allowed: true })
    } finally {
      vi.useRealTimers()
    }
  })

  test('NS-482: a dry run writes something', async () => {
    const verdict = await judge({ ...bindingOf('worker', 'known'), dryRun: true })
    expect(verdict.allowed, 'nothing is written anyway, so a dry run shows what would be').toBe(true)
  })
})
