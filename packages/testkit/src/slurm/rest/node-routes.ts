import { readHostlist } from '@slurm-operator/slurm'
import { allocationOf, type Allocation } from '../state/node-states.ts'
import { createNodes, deleteNode, updateNode, type NodeChange } from '../state/nodes.ts'
import type { NodeOrigin, NodeRecord, NodeSize } from '../state/records.ts'
import { refusals, type Refusal } from '../state/refusals.ts'
import { bare, payload, unchanged, wireError, type RestAnswer } from './answer.ts'
import {
  doneOr,
  notATime,
  refused,
  textIn,
  textsIn,
  whyNotAsked,
  whyNotObeyed,
  withWarnings,
  type Call,
  type Complaint,
} from './call.ts'
import { nodeShape } from './node-shape.ts'
import type { Restd } from './restd.ts'
import { readWireNumber, wireTime } from './values.ts'
import { recordText } from './write-json.ts'

const queryFields = { parser: 'OPENAPI_NODES_QUERY', names: ['update_time', 'flags'] }
const updateFields = ['name', 'address', 'hostname', 'comment', 'cpu_bind', 'extra', 'features', 'features_act', 'gres']
const moreUpdateFields = ['instance_id', 'instance_type', 'reason', 'resume_after', 'state', 'weight', 'cert_token']
const wantableStates = ['DRAIN', 'UNDRAIN', 'RESUME', 'IDLE', 'DOWN', 'FAIL', 'POWER_UP', 'POWER_DOWN', 'FUTURE']
const noUse: Allocation = { cpus: 0, memoryMib: 0, gpus: 0 }
const aboutList: Complaint = { description: 'Failure to query nodes', source: '_dump_nodes' }

/** All nodes: the only answer that counts what is in use, and counts it for the single ones as well. */
export function listNodes(call: Call): RestAnswer {
  const { restd, query, version } = call
  const { controller } = restd
  const since = Number(query.get('update_time') ?? 0)
  if (!Number.isFinite(since)) return notATime(call, { status: 500, source: '_dump_nodes' })
  const silence = whyNotAsked(call, aboutList)
  if (silence) return silence
  const { cluster } = controller
  if (since - 1 >= Math.floor(nodesChangedAtMs(restd) / 1000)) return unchanged // with Slurm's second of slack
  const withFuture = (query.get('flags') ?? '').includes('FUTURE')
  const shown = [...cluster.nodes.values()].filter(({ origin }) => withFuture || origin !== 'future')
  for (const node of cluster.nodes.values()) restd.countedUse.set(node.name, allocationOf(cluster, node))
  const texts = shown.map((node) => nodeText(restd, node, version))
  const { voice } = withWarnings(call, query, queryFields)
  return payload(voice, { last_update: wireTime(cluster.wallMs) }, { key: 'nodes', texts })
}

/** Each round of pings counts as a change. */
function nodesChangedAtMs({ controller }: Restd): number {
  const { cluster, startedAtMs } = controller
  const everyMs = cluster.pace.slurmdTimeoutMs / 2
  const roundAtMs = startedAtMs + Math.floor((cluster.nowMs - startedAtMs) / everyMs) * everyMs
  return Math.max(cluster.changedAtMs('nodes'), roundAtMs + cluster.skewMs)
}

/** One node: flags are right, what is in use may be out of date. */
export function getNode(call: Call): RestAnswer {
  const [name = ''] = call.names
  const complaint = { description: `Failure to query node ${name}`, source: '_dump_nodes' }
  const silence = whyNotAsked(call, complaint)
  if (silence) return silence
  const { cluster } = call.restd.controller
  const node = cluster.nodes.get(name)
  if (!node) return bare(call.voice, 200, wireError(refusals.noError, complaint.description, complaint.source))
  const texts = [nodeText(call.restd, node, call.version)]
  return payload(call.voice, { last_update: wireTime(cluster.wallMs) }, { key: 'nodes', texts })
}

/** Texts of records that have not changed since they were last written: a list of 10,000 is mostly old. */
const written = new WeakMap<NodeRecord, { readonly seal: string; readonly text: string }>()

function nodeText(restd: Restd, node: NodeRecord, version: string): string {
  const { controller, release } = restd
  const { cluster } = controller
  const used = restd.countedUse.get(node.name) ?? noUse
  const jobs = [...cluster.jobsOn(node.name)].map((id) => `${id}${String(cluster.jobs.get(id)?.isCompleting)}`).join()
  const reserved = cluster.changedAtMs('reservations')
  const seal = [version, release.full, cluster.skewMs, reserved, jobs, used.cpus, used.memoryMib, used.gpus].join('|')
  const before = written.get(node)
  if (before?.seal === seal) return before.text
  const text = recordText(nodeShape(controller, node, { release, version, used }))
  written.set(node, { seal, text })
  return text
}

/** Change one node. */
export function updateOneNode(call: Call): RestAnswer {
  return changeNodes(call, call.names)
}

/** Change the nodes that the body names. */
export function updateManyNodes(call: Call): RestAnswer {
  return changeNodes(call, expanded(textsIn(call.body, 'name') ?? []))
}

function changeNodes(call: Call, names: readonly string[]): RestAnswer {
  const source = call.names.length === 0 ? '_update_nodes' : '_update_node'
  const complaint = { description: `Failure to update node ${names.join(',')}`, source }
  const obstacle = whyNotObeyed(call, complaint)
  if (obstacle) return obstacle
  const topology = call.version >= 'v0.0.43' ? ['topology_str'] : []
  const known = { parser: 'UPDATE_NODE_MSG', names: [...updateFields, ...moreUpdateFields, ...topology] }
  const told = withWarnings(call, Object.entries(call.body), known)
  const states = textsIn(call.body, 'state') ?? []
  const strange = states.find((state) => !wantableStates.includes(state))
  if (strange !== undefined) return strangeState(told, strange, complaint)
  if (states.length > 1) return refused(told, refusals.nodeTransition, complaint)
  if (names.length === 0) return refused(told, refusals.nodeName, complaint)
  return doneOr(told, changeEach(told, names, readChange(call, states[0])), complaint)
}

/** One name that Slurm does not know, and it changes none. */
function changeEach({ restd, user = '' }: Call, names: readonly string[], change: NodeChange): Refusal | undefined {
  if (names.some((name) => !restd.controller.cluster.nodes.has(name))) return refusals.nodeName
  const failures = names.map((name) => updateNode(restd.controller, name, change, user))
  return failures.find((failure) => failure !== undefined)
}

function strangeState({ voice, restd }: Call, state: string, { description, source }: Complaint): RestAnswer {
  return bare(
    voice,
    500,
    wireError(refusals.flag, `Unknown flag "${state}"`, '#/state[0]/'),
    wireError(restd.release.stateRefusal, description, source),
  )
}

function readChange({ body, version }: Call, state: string | undefined): NodeChange {
  const weight = readWireNumber(body['weight'])
  const change = {
    state,
    reason: textIn(body, 'reason'),
    comment: textIn(body, 'comment'),
    extra: textIn(body, 'extra'),
    gres: textIn(body, 'gres'),
    features: textsIn(body, 'features'),
    activeFeatures: textsIn(body, 'features_act') ?? textsIn(body, 'features'),
    topology: version >= 'v0.0.43' ? textIn(body, 'topology_str') : undefined,
    weight: typeof weight === 'number' ? weight : undefined,
  }
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

/** Delete nodes; of several, those that can be go, whatever is said about the others. */
export function deleteNodes(call: Call): RestAnswer {
  const [list = ''] = call.names
  const verb = call.restd.release.full.startsWith('24.') ? 'update' : 'delete'
  const complaint = { description: `Failure to ${verb} node ${list}`, source: 'op_handler_node' }
  const obstacle = whyNotObeyed(call, complaint)
  if (obstacle) return obstacle
  const failures = expanded([list]).map((name) => deleteNode(call.restd.controller, name))
  return doneOr(
    call,
    failures.find((failure) => failure !== undefined),
    complaint,
  )
}

/** Add records from a line of slurm.conf. */
export function createNewNodes(call: Call): RestAnswer {
  const complaint = { description: 'Failure to create node', source: '_create_node' }
  const obstacle = whyNotObeyed(call, complaint)
  if (obstacle) return obstacle
  const settings = readLine(textIn(call.body, 'node_conf') ?? '')
  const list = settings.get('nodename')
  if (list === undefined)
    return bare(call.voice, 500, wireError(refusals.unspecified, complaint.description, complaint.source))
  const origin = origins[(settings.get('state') ?? '').toUpperCase()] ?? 'dynamic'
  return doneOr(call, createNodes(call.restd.controller, expanded([list]), origin, sizeOf(settings)), complaint)
}

const origins: Readonly<Record<string, NodeOrigin>> = { CLOUD: 'cloud', EXTERNAL: 'external', FUTURE: 'future' }

/** `Name=value` pairs as in slurm.conf and in `slurmd --conf`. */
export function readLine(line: string): ReadonlyMap<string, string> {
  const pairs = line.split(/\s+/).map((word) => word.split('=', 2))
  return new Map(pairs.map(([name = '', value = '']) => [name.toLowerCase(), value]))
}

/** The size of a machine in such a line. */
export function sizeOf(settings: ReadonlyMap<string, string>): NodeSize {
  const features = settings.get('feature') ?? settings.get('features') ?? ''
  return {
    cpus: Number(settings.get('cpus') ?? 1),
    memoryMib: Number(settings.get('realmemory') ?? 1),
    gres: settings.get('gres') ?? '',
    features: features === '' ? [] : features.split(','),
  }
}

/** All names in hostlists. What cannot be read is taken as a name, and then not found. */
export function expanded(lists: readonly string[]): readonly string[] {
  return lists.flatMap((list) => {
    const reading = readHostlist(list)
    return reading.kind === 'names' ? reading.names : [list]
  })
}
