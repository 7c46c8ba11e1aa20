/** The verbs of HTTP that an API server knows. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One request, complete but for what the connection adds: address, credentials, User-Agent. */
export interface HttpRequest {
  readonly method: Method
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** What it is for, in words, such as `get pods a/b`: every error says so. */
  readonly purpose: string
  /** A watch has a connection of its own and may last for hours; a call may not. */
  readonly use: 'call' | 'watch'
  /** For a call: until the whole answer is here. For a watch: until the answer begins. */
  readonly timeoutMs: number
  /** For a watch: the longest silence that is still believed to be peace. */
  readonly idleMs?: number
  readonly signal?: AbortSignal | undefined
  /** Asked when the connection stands and nothing has been sent yet: the last moment to hold a write back. */
  readonly maySend?: (() => boolean) | undefined
}

/** The beginning of an answer, whatever its code, and the rest to come. */
export interface HttpAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** To be read once. Leaving the loop early closes the connection. Throws `KubeError`. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Send one request, once. Throws `KubeError` when there is no answer. */
export type Send = (request: HttpRequest) => Promise<HttpAnswer>

/** A way to one API server. The real one is `createNodeTransport`; a fake server in the same process is another. */
export interface Transport {
  /** Name and port of the server, for metrics. */
  readonly host: string
  readonly send: Send
  /** Close what is idle and let the rest come to its end. */
  readonly close: () => void
}
