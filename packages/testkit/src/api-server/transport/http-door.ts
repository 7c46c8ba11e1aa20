import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpRequest, Transport } from '@slurm-operator/kube'

/** A port on loopback behind which a server in this process answers. */
export interface HttpDoor extends AsyncDisposable {
  readonly url: string
  readonly close: () => Promise<void>
}

const CALL_TIMEOUT_MS = 60_000

/** Let other programs talk to a transport over plain HTTP. It needs real time: give the server the system's clock. */
export async function openHttpDoor(transport: Transport, port = 0): Promise<HttpDoor> {
  const server = createServer((incoming, outgoing) => {
    relay(transport, incoming, outgoing).catch((error: unknown) =>
      outgoing.destroy(error instanceof Error ? error : undefined),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close, [Symbol.asyncDispose]: close }
}

async function relay(transport: Transport, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const leaving = new AbortController()
  outgoing.once('close', () => leaving.abort())
  const answer = await transport.send({ ...(await requestFrom(incoming)), signal: leaving.signal })
  const headers = Object.entries(answer.headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
  outgoing.writeHead(answer.status, Object.fromEntries(headers))
  outgoing.flushHeaders()
  try {
    for await (const chunk of answer.body) outgoing.write(chunk)
    outgoing.end()
  } catch (error) {
    if (!leaving.signal.aborted) throw error
  }
}

async function requestFrom(incoming: IncomingMessage): Promise<HttpRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const path = incoming.url ?? '/'
  const method = (incoming.method ?? 'GET') as HttpRequest['method']
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
  return {
    method,
    path,
    headers: Object.fromEntries(headers) as Record<string, string>,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks).toString() }),
    purpose: `${method} ${path}`,
    use: /[?&]watch=(true|1)/.test(path) ? 'watch' : 'call',
    timeoutMs: CALL_TIMEOUT_MS,
  }
}
