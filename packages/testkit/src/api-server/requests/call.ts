import type { HttpRequest, JsonValue } from '@slurm-operator/kube'
import type { ResourceType } from '../resources/resource-type.ts'
import type { ServerView } from '../store/view.ts'

/** A request for objects, with its address understood. */
export interface Call {
  readonly type: ResourceType
  readonly namespace: string | undefined
  readonly name: string | undefined
  readonly subresource: string | undefined
  readonly method: HttpRequest['method']
  readonly query: URLSearchParams
  readonly contentType: string
  readonly accept: string
  readonly body: string | undefined
  readonly manager: string
  /** What this server has learnt so far; another one on the same data may have learnt more. */
  readonly view: ServerView
  /** Tell the caller something besides the answer. */
  readonly warn: (text: string) => void
}

/** An answer with one document. */
export interface DocumentReply {
  readonly kind: 'document'
  readonly status: number
  readonly body: JsonValue | object
  /** If it is not plain JSON. */
  readonly contentType?: string
}

/** An answer that goes on: `start` gets what is written to it and returns how to stop. */
export interface StreamReply {
  readonly kind: 'stream'
  readonly start: (stream: OutgoingStream) => () => void
}

/** Where a watch writes to. */
export interface OutgoingStream {
  readonly write: (event: object) => void
  readonly end: () => void
}

/** Any answer. */
export type Reply = DocumentReply | StreamReply

/** An answer with a document; 200 unless said otherwise. */
export function documentReply(body: JsonValue | object, status = 200): DocumentReply {
  return { kind: 'document', status, body }
}

/** The answer to something that was done and has nothing to show. */
export function successReply(details: object | undefined, status = 200): DocumentReply {
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    ...(details !== undefined && { details }),
  }
  return documentReply(status === 201 ? { ...body, code: 201 } : body, status)
}
