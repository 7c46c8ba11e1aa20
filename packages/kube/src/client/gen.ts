/**
 * Test data: a transport that answers from a script, without a network, and small objects for a real server.
 *
 * @module
 */
import { randomUUID } from 'node:crypto'
import { KubeError } from '../errors/kube-error.ts'
import type { HttpAnswer, HttpRequest, Transport } from '../transport/http.ts'
import type { ConfigMap, Pod } from '../types/generated/core-v1.ts'
import { configMapResource, namespaceResource } from '../types/generated/resources.ts'
import type { Client } from './client.ts'

/** An answer to come: text in pieces, or what goes wrong. */
export type Scripted =
  | { readonly status?: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly status?: number
      readonly pieces: readonly string[]
      readonly headers?: Readonly<Record<string, string>>
    }
  | Error

/** Answers in their order, and remembers what was asked. */
export function createScriptedTransport(
  ...answers: readonly Scripted[]
): Transport & { readonly asked: HttpRequest[] } {
  const left = [...answers]
  const asked: HttpRequest[] = []
  return {
    asked,
    host: 'scripted',
    close: () => {},
    async send(request): Promise<HttpAnswer> {
      asked.push(request)
      const next = left.shift()
      if (next === undefined) throw new Error(`nothing is scripted for ${request.method} ${request.path}`)
      if (next instanceof Error) throw next
      const { status = 200, headers = {} } = next
      return { status, headers, body: piecesOf('pieces' in next ? next.pieces : [JSON.stringify(next.body)]) }
    },
  }
}

async function* piecesOf(pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece)
}

/** A pod as a server lists it: without its kind. */
export function podItem(name: string): object {
  return {
    metadata: {
      name,
      namespace: 'a',
      uid: `uid-${name}`,
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
  }
}

/** A list of pods. */
export function podList(names: readonly string[], metadata: object = { resourceVersion: '7' }): object {
  return { kind: 'PodList', apiVersion: 'v1', metadata, items: names.map(podItem) }
}

/** A Status that says no. */
export function failure(code: number, reason: string): { readonly status: number; readonly body: object } {
  return {
    status: code,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message: 'told so' },
  }
}

/** A namespace for one test. */
export async function newNamespace(client: Client): Promise<string> {
  const name = `test-${randomUUID()}`
  await client.resource(namespaceResource).create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  return name
}

/** A small object. */
export function configMap(namespace: string, name: string, data: Readonly<Record<string, string>> = {}): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name, labels: { of: 'test' } }, data }
}

/** A pod that nobody runs. */
export function pod(namespace: string, name: string): Pod {
  const containers = [{ name: 'main', image: 'none' }]
  return { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name, labels: { app: 'x' } }, spec: { containers } }
}

/** Many small objects. */
export async function createMany(client: Client, namespace: string, howMany: number): Promise<void> {
  const maps = client.resource(configMapResource)
  await Promise.all(Array.from({ length: howMany }, (_, index) => maps.create(configMap(namespace, `map-${index}`))))
}

/** The error that must come. */
export async function failureOf(promise: Promise<unknown>): Promise<KubeError> {
  const error = await promise.then(
    () => 'it succeeded',
    (reason: unknown) => reason,
  )
  if (error instanceof KubeError) return error
  throw new Error('it should have failed with a KubeError', { cause: error })
}
