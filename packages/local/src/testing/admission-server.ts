import { once } from 'node:events'
import { createServer } from 'node:https'
import type { Cluster } from '../cluster/cluster.ts'
import { createClusterKeys, issue } from '../pki/authority.ts'

/** A webhook in this process that refuses everything it is asked about. */
export interface RefusingWebhook extends AsyncDisposable {
  readonly clientConfig: { readonly url: string; readonly caBundle: string }
  /** Names of the objects it was asked about. */
  readonly asked: readonly string[]
}

/** Start it where the cluster's API server can reach it. */
export async function startRefusingWebhook(cluster: Cluster, because: string): Promise<RefusingWebhook> {
  const keys = await createClusterKeys()
  const asked: string[] = []
  const answer = (text: string) => {
    const { request } = JSON.parse(text) as { request: { uid: string; name: string } }
    asked.push(request.name)
    const response = { uid: request.uid, allowed: false, status: { message: because } }
    return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response })
  }
  const { certificate, key } = await issue(keys, { commonName: 'webhook', servesAs: ['10.88.0.11'] })
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => response.end(answer(Buffer.concat(chunks).toString())))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const door = await cluster.serve(typeof address === 'object' && address !== null ? address.port : 0)
  return {
    asked,
    clientConfig: {
      url: `https://${door.host}:${door.port}/`,
      caBundle: Buffer.from(keys.authority.certificate).toString('base64'),
    },
    async [Symbol.asyncDispose]() {
      await door.close()
      server.closeAllConnections()
      server.close()
    },
  }
}
