import { systemClock, type Clock } from '@slurm-operator/kube'
import { anyPort, certificatesForTests, createTestClient, runServer, type Reply, type Running } from '../serving/gen.ts'
import type { Hook, HookObserver } from './hook.ts'
import { createWebhookServer } from './webhook-server.ts'

/** Test data: a review as an API server sends it. */
export function reviewOf(
  request: Readonly<Record<string, unknown>> = {},
  version = 'v1',
): Readonly<Record<string, unknown>> {
  return {
    apiVersion: `admission.k8s.io/${version}`,
    kind: 'AdmissionReview',
    request: {
      uid: 'u-1',
      kind: { group: 'g', version: 'v1', kind: 'Thing' },
      resource: { group: 'g', version: 'v1', resource: 'things' },
      name: 'a',
      namespace: 'ns',
      operation: 'CREATE',
      userInfo: { username: 'alice', groups: ['people'] },
      object: { spec: {} },
      oldObject: null,
      dryRun: false,
      ...request,
    },
  }
}

/** What a webhook server told while it ran. */
interface Told {
  readonly failures: unknown[]
  readonly codes: string[]
  panics: number
  inFlight: number
}

/** A webhook server for one test, with a client that trusts it. */
export interface RunningWebhooks extends AsyncDisposable {
  readonly running: Running
  readonly told: Told
  readonly authority: string
  readonly changeCertificate: () => Promise<void>
  readonly send: (path: string, body: string | Uint8Array, headers?: Readonly<Record<string, string>>) => Promise<Reply>
  readonly review: (path: string, review: unknown) => Promise<{ readonly code: number; readonly response: Answered }>
}

/** The answer within an AdmissionReview. */
export interface Answered {
  readonly uid: string
  readonly allowed: boolean
  readonly status?: { readonly code: number; readonly message: string; readonly reason: string }
  readonly warnings?: readonly string[]
  readonly patch?: string
  readonly patchType?: string
  readonly auditAnnotations?: Readonly<Record<string, string>>
}

/** Run a webhook server. */
export async function runWebhooks(hooks: readonly Hook[], clock: Clock = systemClock): Promise<RunningWebhooks> {
  const { authority, source, issue, use } = await certificatesForTests()
  const told: Told = { failures: [], codes: [], panics: 0, inFlight: 0 }
  const observer: HookObserver = {
    started: () => void told.inFlight++,
    finished: (path, code) => {
      told.inFlight--
      told.codes.push(`${path} ${code}`)
    },
    failed: () => void told.panics++,
  }
  const onFailure = (error: unknown) => told.failures.push(error)
  const running = await runServer((onListening) =>
    createWebhookServer({ listen: anyPort, hooks, certificates: source, clock, observer, onListening, onFailure }),
  )
  const client = createTestClient(running.port, authority)
  const send: RunningWebhooks['send'] = (path, body, headers = {}) =>
    client.send(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  return {
    running,
    told,
    authority,
    send,
    changeCertificate: async () => use(await issue()),
    review: async (path, review) => {
      const { code, text } = await send(path, JSON.stringify(review))
      return { code, response: (JSON.parse(text) as { readonly response: Answered }).response }
    },
    [Symbol.asyncDispose]: async () => {
      client.close()
      await running[Symbol.asyncDispose]()
    },
  }
}
