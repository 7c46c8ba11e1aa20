import { request } from 'node:https'

/** The least that a test of the API server itself needs. */
export interface TestConnection {
  call(method: string, path: string, body?: object): Promise<{ readonly status: number; readonly body: unknown }>
}

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } },
  ]
  readonly users: readonly [
    { readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string } },
  ]
}

/** Talk to an API server as the user of a kubeconfig that `local` wrote. */
export function connectWith(kubeconfig: string): TestConnection {
  const { clusters, users } = JSON.parse(kubeconfig) as Kubeconfig
  const [{ cluster }] = clusters
  const [{ user }] = users
  const tls = {
    ca: decode(cluster['certificate-authority-data']),
    cert: decode(user['client-certificate-data']),
    key: decode(user['client-key-data']),
  }
  return {
    call: (method, path, body) =>
      new Promise((resolve, reject) => {
        const headers = { 'Content-Type': 'application/json' }
        const call = request(
          new URL(path, cluster.server),
          { ...tls, method, headers, agent: false, timeout: 20_000 },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('end', () =>
              resolve({ status: response.statusCode ?? 0, body: parse(Buffer.concat(chunks).toString()) }),
            )
            response.on('error', reject)
          },
        )
        call.once('timeout', () => call.destroy(new Error(`no answer to ${method} ${path}`)))
        call.once('error', reject)
        call.end(body === undefined ? undefined : JSON.stringify(body))
      }),
  }
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text // a stream of several objects, or plain words
  }
}
