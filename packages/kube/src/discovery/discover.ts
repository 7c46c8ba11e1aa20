import type { CallOptions } from '../client/channel.ts'
import type { Client } from '../client/client.ts'
import { KubeError } from '../errors/kube-error.ts'
import type { APIGroupList, APIResourceList } from '../types/generated/meta-v1.ts'
import type { DiscoveredGroup, DiscoveredVersion } from './discovered.ts'
import { readAggregated, type GroupDiscoveryList } from './read-aggregated.ts'
import { readResourceList } from './read-resource-list.ts'

const AGGREGATED = ['v2', 'v2beta1'].map(
  (v) => `application/json;g=apidiscovery.k8s.io;v=${v};as=APIGroupDiscoveryList`,
)
const ACCEPT = [...AGGREGATED, 'application/json'].join(',')

/**
 * Ask the server what it offers: two requests at servers from 1.27 on, one per group and version at older ones. A part
 * that cannot be read is there and marked as stale; it is never silently absent.
 */
export async function discover(client: Pick<Client, 'raw'>, options: CallOptions = {}): Promise<DiscoveredGroup[]> {
  const [core, others] = await Promise.all(['/api', '/apis'].map((path) => discoverRoot(client, path, options)))
  return [...(core ?? []), ...(others ?? [])]
}

async function discoverRoot(
  client: Pick<Client, 'raw'>,
  path: string,
  options: CallOptions,
): Promise<DiscoveredGroup[]> {
  const answer = await client.raw({ method: 'GET', path, accept: ACCEPT, purpose: `discover ${path}`, ...options })
  const root = parse(answer.text, path)
  if ((answer.headers['content-type'] ?? '').includes('APIGroupDiscoveryList'))
    return readAggregated(root as GroupDiscoveryList)
  const groups = path === '/api' ? coreGroup(root) : otherGroups(root)
  return Promise.all(groups.map((one) => discoverGroup(client, path, one, options)))
}

interface GroupNames {
  readonly group: string
  readonly versions: readonly string[]
}

function coreGroup(root: unknown): GroupNames[] {
  return [{ group: '', versions: (root as { readonly versions?: readonly string[] }).versions ?? [] }]
}

function otherGroups(root: unknown): GroupNames[] {
  return (root as APIGroupList).groups.map(({ name, versions, preferredVersion }) => {
    const preferred = preferredVersion?.version ?? ''
    const others = versions.map(({ version }) => version).filter((version) => version !== preferred)
    return { group: name, versions: preferred === '' ? others : [preferred, ...others] }
  })
}

async function discoverGroup(
  client: Pick<Client, 'raw'>,
  path: string,
  { group, versions }: GroupNames,
  options: CallOptions,
): Promise<DiscoveredGroup> {
  const root = group === '' ? path : `${path}/${group}`
  const found = await Promise.all(versions.map((version) => discoverVersion(client, root, group, version, options)))
  return { group, versions: found }
}

async function discoverVersion(
  client: Pick<Client, 'raw'>,
  root: string,
  group: string,
  version: string,
  options: CallOptions,
): Promise<DiscoveredVersion> {
  const path = `${root}/${version}`
  try {
    const { text } = await client.raw({ method: 'GET', path, purpose: `discover ${path}`, ...options })
    return readResourceList(group, version, parse(text, path) as APIResourceList)
  } catch (error) {
    if (!(error instanceof KubeError) || error.reason === 'Aborted') throw error
    return { version, resources: [], isStale: true }
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new KubeError({ reason: 'Malformed', request: `discover ${path}`, detail: 'the answer is not JSON' })
  }
}
