/**
 * A namespace as another operator of this API left it: the objects of a recorded case, made with plain writes, with owner
 * references to the resources as they are now. For tests.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs'
import { kinds, resourceOf } from '@slurm-operator/api'
import type { Client, JsonValue, KubeObject, Live, Resource } from '@slurm-operator/kube'
import { mintToken, Secret } from '@slurm-operator/slurm'
import { childResources } from '../testing/child-resources.ts'
import { readCase } from '../testing/recorded-cases.ts'
import { compatFile } from './recordings.ts'

/** Under this name the other operator wrote. */
export const FORMER_MANAGER = 'manager'

const ours: readonly Resource<KubeObject>[] = Object.values(kinds).map((kind) => resourceOf(kind))

/** Make everything. The namespace, called like the case, must exist. */
export async function leaveBehind(client: Client, name: string): Promise<void> {
  const { input, expected } = readCase(name)
  const made = new Map<string, Live<KubeObject>>()
  for (const object of input) {
    const placed = { ...object, metadata: { ...object.metadata, namespace: name } }
    const live = await storeFor(client, object).apply(placed, { fieldManager: 'kubectl', force: true })
    made.set(nameOf(object), live)
  }
  const symbols = readSymbols(name)
  const missing = expected.filter((object) => 'apiVersion' in object && !made.has(nameOf(object)) && !isOfSet(object))
  const isClaim = ({ kind }: KubeObject) => kind === 'PersistentVolumeClaim' // before a StatefulSet makes its own
  let waiting = [...missing.filter(isClaim), ...missing.filter((object) => !isClaim(object))]
  while (waiting.length > 0) {
    const next = waiting.filter((object) => owners(object).every((owner) => made.has(nameOf(owner))))
    if (next.length === 0) throw new Error(`Cannot make ${waiting.map(nameOf).join(', ')}: their owners do not exist.`)
    for (const object of next) made.set(nameOf(object), await make(client, object, { namespace: name, made, symbols }))
    waiting = waiting.filter((object) => !next.includes(object))
  }
  await copyStatus(client, expected, { namespace: name, symbols })
}

interface Surroundings {
  readonly namespace: string
  readonly made: ReadonlyMap<string, Live<KubeObject>>
  /** Revision hashes by NodeSet and symbol. */
  readonly symbols: Symbols
}

type Symbols = Readonly<Record<string, Readonly<Record<string, string>>>>

function readSymbols(name: string): Symbols {
  const file = compatFile(`cases/${name}/revisions.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Symbols) : {}
}

async function make(client: Client, object: KubeObject, around: Surroundings): Promise<Live<KubeObject>> {
  const { namespace, made, symbols } = around
  const ownerReferences = owners(object).map((owner) => ({
    ...owner,
    uid: made.get(nameOf(owner))?.metadata.uid ?? '',
  }))
  const { finalizers: _finalizers, generateName: _generateName, ...metadata } = object.metadata
  const recorded = { ...object, metadata: { ...metadata, namespace, ownerReferences } } as KubeObject
  const plain = clean(recorded as unknown as JsonValue, symbolsOf(object, symbols)) as unknown as KubeObject
  const filled = object.kind === 'Secret' ? encodeSecret(plain, around) : plain
  return storeFor(client, object).create(filled, { fieldManager: FORMER_MANAGER })
}

/** The revision symbols are numbered for each NodeSet: that of the owner counts. */
function symbolsOf(object: KubeObject, symbols: Symbols): Readonly<Record<string, string>> {
  const nodeSet = owners(object).find(({ kind }) => kind === 'NodeSet')?.name ?? object.metadata.name ?? ''
  return symbols[nodeSet] ?? {}
}

/** Placeholders for what a server fills in are left out; those for revisions get their hash back. */
function clean(value: JsonValue, symbols: Readonly<Record<string, string>>): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => clean(item, symbols)).filter(isKnown)
  if (typeof value === 'string') return value.replaceAll(/<revision \d+>/g, (symbol) => symbols[symbol] ?? symbol)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inside]) => isKnown(inside as JsonValue))
  return Object.fromEntries(entries.map(([key, inside]) => [key, clean(inside as JsonValue, symbols)]))
}

function isKnown(value: JsonValue): boolean {
  return value !== '<ip>' && value !== '<allocated>' && value !== '<time>'
}

/** Recordings show Secrets as text, and a token only as a description. */
function encodeSecret(secret: KubeObject, { made }: Surroundings): KubeObject {
  const { data = {} } = secret as { readonly data?: Readonly<Record<string, string>> }
  const texts = Object.entries(data).map(([key, text]) => [
    key,
    toBase64(text.startsWith('<jwt ') ? mint(text, made) : text),
  ])
  return { ...secret, data: Object.fromEntries(texts) as unknown } as KubeObject
}

function mint(description: string, made: Surroundings['made']): string {
  const { data = {} } = (made.get('Secret/jwt-key') ?? {}) as { readonly data?: Readonly<Record<string, string>> }
  const username = /sun=(\S+)/.exec(description)?.[1] ?? ''
  const lifetimeSeconds = Number(/lifetime=(\d+)s/.exec(description)?.[1])
  const key = new Secret(Buffer.from(data['jwt.key'] ?? '', 'base64'))
  return mintToken(key, { username, lifetimeSeconds, nowMs: Date.now(), random: Math.random }).reveal().toString()
}

function toBase64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** What the other operator remembered, such as the hash of the newest revision. */
async function copyStatus(
  client: Client,
  expected: readonly KubeObject[],
  { namespace, symbols }: Pick<Surroundings, 'namespace' | 'symbols'>,
): Promise<void> {
  for (const object of expected) {
    const { status } = object as { readonly status?: JsonValue }
    if (!ours.some(({ kind }) => kind === object.kind) || status === undefined) continue
    const body = { status: clean(status, symbolsOf(object, symbols)) }
    const key = { namespace, name: object.metadata.name ?? '' }
    await storeFor(client, object).status.patch(key, { type: 'merge', body }, { fieldManager: FORMER_MANAGER })
  }
}

/** The built-in controllers make the pods of StatefulSets by themselves. */
function isOfSet(object: KubeObject): boolean {
  return object.kind === 'Pod' && owners(object).some(({ kind }) => kind === 'StatefulSet')
}

function owners({ metadata }: KubeObject) {
  return metadata.ownerReferences ?? []
}

function nameOf(object: {
  readonly kind: string
  readonly name?: string
  readonly metadata?: { readonly name?: string }
}) {
  return `${object.kind}/${object.name ?? object.metadata?.name ?? ''}`
}

function storeFor(client: Client, { kind }: KubeObject) {
  const resource = [...childResources, ...ours].find((one) => one.kind === kind)
  if (resource === undefined) throw new Error(`Cannot make ${kind}: no such kind in this test. Add it to the list.`)
  return client.resource(resource)
}
