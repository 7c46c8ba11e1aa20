/**
 * A server in the memory of a test: it holds what it was given, notes every request, and refuses what it is told to.
 *
 * @module
 */
import {
  applyMergePatch,
  KubeError,
  type Client,
  type FailureReason,
  type JsonObject,
  type KubeObject,
  type ObjectKey,
  type Patch,
  type Resource,
} from '@slurm-operator/kube'
import type { KeptMeta } from '../world/trim.ts'

/** An object as a server has it. */
export type Stored = KubeObject & { readonly metadata: KeptMeta }

/** Give an object what a server would. */
export function stored<T extends object>(object: T, namespace: string): T & Stored {
  const given = object as unknown as KubeObject
  const { name = '' } = given.metadata
  const metadata = {
    ...{ namespace, uid: `uid-of-${given.kind}-${name}`, resourceVersion: '1', generation: 1 },
    ...{ creationTimestamp: '2026-01-01T00:00:00Z', managedFields: [] },
    ...given.metadata,
  }
  return { ...given, metadata } as unknown as T & Stored
}

/** A request such as `patch Pod foo-0`, and what came with it. */
interface Request {
  readonly text: string
  readonly body: unknown
}

/** What the server says to a request, if not yes; `count` is how many of this verb and kind there have been. */
export type Refuse = (text: string, count: number) => FailureReason | KubeError | undefined

/** A refusal. */
export function refusal(reason: FailureReason, causes: KubeError['causes'] = []): KubeError {
  return new KubeError({ reason, request: 'do it', detail: 'no', causes })
}

/** See the module. */
export class StillServer {
  readonly requests: Request[] = []
  readonly #namespace: string
  readonly #refuse: Refuse
  readonly #objects = new Map<string, Stored>()
  #version = 0

  constructor(namespace: string, refuse: Refuse = () => undefined) {
    this.#namespace = namespace
    this.#refuse = refuse
  }

  find(kind: string, { name }: ObjectKey): Stored | undefined {
    return this.#objects.get(`${kind}/${name}`)
  }

  list(kind: string): readonly Stored[] {
    return [...this.#objects.values()].filter((object) => object.kind === kind)
  }

  put(object: object): Stored {
    const { metadata } = object as KubeObject
    const resourceVersion = String(++this.#version)
    const whole = stored({ ...object, metadata: { ...metadata, resourceVersion } }, this.#namespace)
    this.#objects.set(`${whole.kind}/${whole.metadata.name}`, whole)
    return whole
  }

  remove(kind: string, { name }: ObjectKey): void {
    this.#objects.delete(`${kind}/${name}`)
  }

  client(): Client {
    const resource = ({ kind }: Resource<KubeObject>) => ({
      ...this.#verbs(kind),
      status: { patch: (key: ObjectKey, patch: Patch) => this.#patch('status', kind, key, patch) },
    })
    return { resource, metadata: resource, close: () => {} } as unknown as Client
  }

  #verbs(kind: string) {
    const find = async (key: ObjectKey) => this.find(kind, key)
    const write = (verb: string) => async (object: KubeObject) => {
      this.#note(`${verb} ${kind} ${object.metadata.name ?? ''}`, object)
      return this.put(object)
    }
    return {
      ...{ find, get: find, create: write('create'), apply: write('apply') },
      list: async ({ fieldSelector = '' }: { readonly fieldSelector?: string }) => {
        const items = this.list(kind).filter(({ metadata }) => fieldSelector === `metadata.name=${metadata.name}`)
        return { items, resourceVersion: String(this.#version) }
      },
      patch: (key: ObjectKey, patch: Patch) => this.#patch('patch', kind, key, patch),
      delete: async (key: ObjectKey, options: unknown) => {
        this.#note(`delete ${kind} ${key.name}`, options)
        return { kind: 'deleted', uid: this.find(kind, key)?.metadata.uid }
      },
    }
  }

  async #patch(verb: string, kind: string, key: ObjectKey, patch: Patch): Promise<Stored> {
    const body = 'body' in patch ? patch.body : []
    this.#note(`${verb} ${kind} ${key.name}`, body)
    const before = this.find(kind, key)
    if (before === undefined) throw refusal('NotFound')
    if (patch.type !== 'merge') return this.put(before)
    return this.put(applyMergePatch(before as unknown as JsonObject, body as JsonObject) as object)
  }

  #note(text: string, body: unknown): void {
    this.requests.push({ text, body })
    const alike = this.requests.filter((request) => request.text.startsWith(verbOf(text)))
    const answer = this.#refuse(text, alike.length)
    if (answer !== undefined) throw answer instanceof KubeError ? answer : refusal(answer)
  }
}

function verbOf(text: string): string {
  return text.split(' ').slice(0, 2).join(' ')
}
