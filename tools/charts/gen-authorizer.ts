/**
 * Somebody whom an API server asks whether a user may do something. He knows the rights of the charts, answers by them,
 * and writes every question down: also those which no request shows, such as that of an admission plugin.
 *
 * @module
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { allows, type Question, type Right } from './rights.ts'

interface Review {
  readonly spec: {
    readonly user: string
    readonly resourceAttributes?: {
      readonly group?: string
      readonly resource: string
      readonly subresource?: string
      readonly verb: string
      readonly name?: string
      readonly namespace?: string
    }
  }
}

/** See the module. */
export interface Authorizer extends AsyncDisposable {
  /** For the API server. What its own roles allow is not asked. */
  readonly flags: readonly string[]
  readonly questionsOf: (user: string) => readonly Question[]
}

/** Start one that knows these rights, by user. */
export async function startAuthorizer(rights: Readonly<Record<string, readonly Right[]>>): Promise<Authorizer> {
  const asked: { readonly user: string; readonly question: Question }[] = []
  const answer = ({ spec: { user, resourceAttributes } }: Review): boolean => {
    if (resourceAttributes === undefined) return false
    const { resource, subresource, ...more } = resourceAttributes
    const question = { group: '', ...more, resource: subresource ? `${resource}/${subresource}` : resource }
    asked.push({ user, question })
    return (rights[user] ?? []).some((right) => allows(right, question))
  }
  const server = createServer((request, response) => {
    void readReview(request).then((review) => response.end(JSON.stringify(verdict(answer(review)))))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = mkdtempSync(join(tmpdir(), 'authorizer-'))
  return {
    flags: flagsFor(folder, server.address()),
    questionsOf: (user) => asked.filter((one) => one.user === user).map(({ question }) => question),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

function verdict(allowed: boolean): object {
  return { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', status: { allowed } }
}

async function readReview(request: IncomingMessage): Promise<Review> {
  return JSON.parse(Buffer.concat(await request.toArray()).toString()) as Review
}

/** They add to those that the server has already: its own roles are asked first. */
function flagsFor(folder: string, address: ReturnType<ReturnType<typeof createServer>['address']>): string[] {
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const file = join(folder, 'kubeconfig')
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'authorizer', cluster: { server: `http://127.0.0.1:${port}` } }],
    contexts: [{ name: 'authorizer', context: { cluster: 'authorizer', user: '' } }],
    'current-context': 'authorizer',
  }
  writeFileSync(file, stringify(config))
  return [
    '--authorization-mode=Webhook',
    `--authorization-webhook-config-file=${file}`,
    '--authorization-webhook-version=v1',
  ]
}
