import type { ServerResponse } from 'node:http'

/** What a server answers, as plain data. */
export interface Answer {
  readonly code: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A text for people; it ends with a line end. */
export function textAnswer(code: number, text: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { code, body: text.endsWith('\n') ? text : `${text}\n`, headers }
}

/** Send an answer. Nothing in it is ever taken for anything else than what it says it is. */
export function sendAnswer(response: ServerResponse, { code, body, headers = {} }: Answer): void {
  if (response.destroyed || response.headersSent) return // the client has gone, or has got its answer
  const bytes = Buffer.from(body)
  response.writeHead(code, {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': bytes.length,
    ...headers,
  })
  response.end(response.req.method === 'HEAD' ? undefined : bytes)
}
