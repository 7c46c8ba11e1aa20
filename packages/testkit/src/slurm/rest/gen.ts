/**
 * Test data of this room: the recorded exchanges with real daemons, and how to bring the simulation into the situation
 * in which each of them was recorded.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createHmac } from 'node:crypto'
import { createVirtualClock, type VirtualClock } from '../../clock/virtual-clock.ts'
import { createSimulatedSlurm, type SimulatedSlurm } from '../simulated-slurm.ts'
import type { JobWish } from '../state/records.ts'

const FIXTURES = `${import.meta.dirname}/../../../../slurm/fixtures`
/** When most of them were recorded, and those of the older release. */
const START_MS = 1_794_770_274_000
const OLD_START_MS = 1_794_769_600_000

/** One recorded exchange with a real slurmrestd. */
export interface Recorded {
  readonly request: {
    readonly method: 'GET' | 'POST' | 'DELETE'
    readonly path: string
    readonly body?: unknown
    readonly headers?: Readonly<Record<string, string>>
    /** What was special about the token. */
    readonly auth?: string
  }
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: unknown
  }
}

/** The names of all recorded exchanges. */
export function recordedNames(): string[] {
  return readdirSync(FIXTURES).map((file) => file.replace(/\.json$/, ''))
}

/** One by its name. */
export function recorded(name: string): Recorded {
  return JSON.parse(readFileSync(`${FIXTURES}/${name}.json`, 'utf8')) as Recorded
}

/** A simulated Slurm on a virtual clock, and a way to ask it. */
export interface Lab {
  readonly slurm: SimulatedSlurm
  readonly clock: VirtualClock
  readonly ask: (request: Recorded['request']) => Promise<{ status: number; contentType: string; body: unknown }>
}

/** The Slurm in which the recordings of a release were made: three workers, the third with GPUs; or one. */
export function buildLab(isOld: boolean): Lab {
  const clock = createVirtualClock({ startMs: isOld ? OLD_START_MS : START_MS })
  const release = isOld ? '24.11' : '26.05'
  const slurm = createSimulatedSlurm({ clock, release, accounting: !isOld, latencyMs: 0 })
  if (isOld) slurm.addWorker({ name: 'w24-1', conf: 'CPUs=2 RealMemory=2000 Feature=ns1' })
  else {
    for (const name of ['worker-1', 'worker-2']) slurm.addWorker({ name, conf: 'CPUs=2 RealMemory=2000 Feature=ns1' })
    slurm.addWorker({ name: 'worker-3', conf: 'CPUs=2 RealMemory=2000 Feature=gpu Gres=gpu:a100:2' })
  }
  return { slurm, clock, ask: (request) => ask(slurm, clock, request) }
}

async function ask(slurm: SimulatedSlurm, clock: VirtualClock, request: Recorded['request']): ReturnType<Lab['ask']> {
  const { method, path, body } = request
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const given = Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  const headers = { ...tokenHeader(slurm, request.auth), ...(Object.fromEntries(given) as Record<string, string>) }
  const sent = slurm
    .openTransport()
    .send({ method, path, headers, ...(text !== undefined && { body: text }) }, new AbortController().signal)
  const answer = await clock.drive(sent)
  const pieces: Uint8Array[] = []
  for await (const piece of answer.body) pieces.push(piece)
  const answered = Buffer.concat(pieces).toString()
  const isJson = answer.contentType === 'application/json'
  return { status: answer.status, contentType: answer.contentType, body: isJson ? JSON.parse(answered) : answered }
}

function tokenHeader(slurm: SimulatedSlurm, auth = ''): Record<string, string> {
  const bearer = (token: string): Record<string, string> => ({ 'x-slurm-user-token': token })
  if (auth === 'none') return {}
  if (/daemon/.test(auth)) return bearer(slurm.token('daemon'))
  if (/signed with another|bad signature/.test(auth)) return bearer(signed({ sun: 'slurm', exp: 9e9 }, 'another'))
  if (/expired/.test(auth)) return bearer(slurm.token('slurm', 0))
  if (/without exp/.test(auth)) return bearer(signed({ sun: 'slurm' }, slurm.signingKey))
  if (/without sun/.test(auth)) return bearer(signed({ exp: 9e9 }, slurm.signingKey))
  return bearer(/malformed|garbage/.test(auth) ? 'nonsense' : slurm.token())
}

function signed(claims: object, key: Uint8Array | string): string {
  const [head, body] = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  )
  return `${head}.${body}.${createHmac('sha256', key).update(`${head}.${body}`).digest('base64url')}`
}

/** Brings the simulation into the situation. */
export type Prepare = (lab: Lab) => void | Promise<void>

const second: Prepare = ({ clock }) => clock.advance(1000)
const list: Prepare = async ({ ask }) => void (await ask({ method: 'GET', path: '/slurm/v0.0.42/nodes/' }))
const runs =
  (wish: Partial<JobWish>): Prepare =>
  ({ slurm }) =>
    void slurm.orders.submitJob({ user: 'daemon', memoryPerNodeMib: 500, ...wish })
const on = (node: string, cpusPerTask: number, more: Partial<JobWish> = {}): Prepare =>
  runs({ requiredNodes: [node], cpusPerTask, ...more })
const orders =
  (node: string, state: string, reason?: string): Prepare =>
  ({ slurm }) =>
    void slurm.orders.updateNode(node, { state, ...(reason !== undefined && { reason }) })
const all =
  (...steps: readonly Prepare[]): Prepare =>
  async (lab) => {
    for (const step of steps) await step(lab)
  }
const creates =
  (line: string): Prepare =>
  async ({ ask }) =>
    void (await ask({ method: 'POST', path: '/slurm/v0.0.45/new/node/', body: { node_conf: line } }))
const repeats =
  (name: string): Prepare =>
  async ({ ask }) =>
    void (await ask(recorded(name).request))
const nothing: Prepare = () => {}
const away: Prepare = ({ slurm }) => slurm.endController('away')
const unreachable: Prepare = ({ slurm }) => slurm.endController('unreachable')
const noDatabase: Prepare = ({ slurm }) => slurm.setAccountingAway(true)
const silent: Prepare = ({ slurm }) => slurm.stopSlurmd('worker-3')
const shrunk: Prepare = ({ slurm }) => slurm.startSlurmd('worker-3', 'CPUs=1 RealMemory=2000 Feature=gpu')
/** Job numbers as they were then. */
const untilJob =
  (id: number): Prepare =>
  ({ slurm }) => {
    while (slurm.orders.submitJob({ hold: true }) < id - 1);
  }
const waits =
  (seconds: number): Prepare =>
  ({ clock }) =>
    clock.advance(seconds * 1000)
const job = (id: number, ...steps: readonly Prepare[]): Prepare => all(untilJob(id), ...steps, second)

/** How each recorded situation comes about here. */
export const situations: Readonly<Record<string, Prepare>> = {
  ...Object.fromEntries(
    [
      ...['diag', 'conf', 'slurmdb-ping', 'slurmdb-clusters', 'util-hostlist', 'util-hostnames', 'reconfigure'],
      ...['ping-v0.0.42', 'ping-v0.0.43', 'ping-v0.0.44', 'ping-v0.0.45', 'ping-bad-token'],
      ...['error-400-bad-json', 'error-401-no-token', 'error-404-path', 'error-404-version', 'error-404-wrong-method'],
      ...['error-415-accept', 'error-415-content-type', 'error-511-bad-signature', 'error-511-expired'],
      ...['error-511-garbage-token', 'error-511-no-exp', 'error-511-no-sun'],
      ...['nodes-idle-v0.0.42', 'nodes-idle-v0.0.43', 'nodes-idle-v0.0.44', 'nodes-idle-v0.0.45', 'node-idle'],
      ...['nodes-unknown-query', 'nodes-304-unchanged', 'node-not-found', 'error-update-time-not-a-number'],
      ...['node-update-drain', 'node-update-drain-no-reason', 'node-update-undrain', 'node-update-unknown-field'],
      ...['nodes-update-multi-drain', 'node-delete', 'new-node', 'error-new-node-syntax', 'error-node-bad-state'],
      ...['error-node-two-states', 'error-node-resume-not-drained', 'error-node-update-not-found'],
      ...['error-node-update-ordinary-user', 'error-node-delete-not-found', 'error-reconfigure-ordinary-user'],
      ...['partitions', 'partition-get', 'partition-not-found', 'reservations-empty', 'reservation-not-found'],
      ...['reservation-create', 'reservations-create-two', 'error-reservation-bad-node', 'error-reservation-no-start'],
      ...['error-reservation-ordinary-user', 'error-reservation-delete-not-found'],
      ...['job-submit', 'job-submit-gpu', 'job-submit-impersonate-held', 'jobs-unchanged', 'jobs-cancel-by-user'],
      ...['error-job-not-found', 'error-job-bad-id', 'error-job-submit-bad-partition', 'job-cancel-not-found'],
      ...['error-job-submit-no-environment', 'error-job-submit-no-script', 'error-job-submit-name-mismatch'],
      ...['slurm-24.11-404', 'slurm-24.11-bad-json', 'slurm-24.11-bad-signature', 'slurm-24.11-bad-state'],
      ...['slurm-24.11-no-token', 'slurm-24.11-ping', 'slurm-24.11-ping-bad-token', 'slurm-24.11-reconfigure'],
      ...['slurm-24.11-nodes-idle', 'slurm-24.11-node-not-found', 'slurm-24.11-node-delete', 'slurm-24.11-job-submit'],
      ...['slurm-24.11-job-not-found', 'slurm-24.11-update-drain', 'slurm-24.11-update-not-found'],
      ...['slurm-24.11-update-ordinary-user', 'slurm-24.11-update-resume-again', 'slurm-24.11-reservation-not-found'],
    ].map((name) => [name, nothing]),
  ),
  'error-nodes-slurmctld-down': away,
  'error-node-update-slurmctld-down': away,
  'error-nodes-slurmctld-unreachable': unreachable,
  'ping-slurmctld-down': away,
  'ping-ha-standby-v0.0.42': ({ slurm }) => slurm.setBackup({ hostname: 'worker-2', state: 'standby' }),
  'ping-ha-standby-v0.0.45': ({ slurm }) => slurm.setBackup({ hostname: 'worker-2', state: 'standby' }),
  'ping-ha-primary-down-v0.0.45': ({ slurm }) => slurm.setBackup({ hostname: 'worker-2', state: 'active' }),
  'ping-slurmctld-unreachable': unreachable,
  'error-slurmdb-clusters-slurmdbd-down': noDatabase,
  'error-slurmdb-ping-slurmdbd-down': noDatabase,

  'node-allocated': all(on('worker-1', 2), second, list),
  'node-allocated-drain': all(on('worker-1', 2), second, orders('worker-1', 'DRAIN', 'drain busy node'), list),
  'node-idle-drain-completing': all(
    ...[
      on('worker-1', 2, { runMs: 1000 }),
      orders('worker-1', 'DRAIN', 'x'),
      orders('worker-1', 'UNDRAIN'),
      waits(1.1),
    ],
    ...[orders('worker-1', 'DRAIN', 'drain busy node'), waits(1.1), list],
  ),
  'node-update-drain-busy': all(on('worker-1', 2), second),
  'node-mixed': all(on('worker-2', 1), second, list),
  'node-mixed-drain': all(on('worker-2', 1), second, orders('worker-2', 'DRAIN', 'drain mixed node'), list),
  'node-mixed-gpu': all(on('worker-3', 1, { gpusPerNode: 1 }), second, list),
  'node-mixed-stale-single-get': all(on('worker-2', 1), second),
  'node-mixed-notresponding': all(on('worker-3', 1), second, silent, waits(15), list),
  'nodes-busy': all(on('worker-1', 2), on('worker-2', 1), on('worker-3', 1, { gpusPerNode: 1 }), second),
  'node-idle-drain': orders('worker-1', 'DRAIN', 'slurm-operator: scale down'),
  'node-idle-notresponding-after-resume': all(orders('worker-1', 'DRAIN', 'x'), orders('worker-1', 'RESUME')),
  'node-down-by-admin': orders('worker-1', 'DOWN', 'operator says down'),
  'node-down-notresponding': all(silent, waits(30)),
  'node-fail': orders('worker-1', 'FAIL', 'failing'),
  'node-invalid-reg': all(silent, waits(30), shrunk),
  'error-node-resume-invalid-reg': all(silent, waits(30), shrunk),
  'node-cloud-powered-down': creates('NodeName=ext-1 CPUs=4 RealMemory=1000 Feature=ext State=CLOUD'),
  'node-external': creates('NodeName=extern-1 CPUs=4 RealMemory=1000 State=EXTERNAL'),
  'nodes-with-future': creates('NodeName=fut-[1-2] CPUs=4 RealMemory=1000 State=FUTURE'),
  'error-new-node-duplicate': creates('NodeName=ext-1 CPUs=4 RealMemory=1000 State=CLOUD'),
  'node-update-resume': orders('worker-1', 'DRAIN', 'x'),
  'nodes-update-multi-resume': all(orders('worker-1', 'DRAIN', 'x'), orders('worker-2', 'DRAIN', 'x')),
  'error-node-delete-busy': all(on('worker-1', 1), second),

  'node-idle-maintenance': all(repeats('reservations-create-two'), waits(3)),
  'node-idle-reserved': all(repeats('reservations-create-two'), waits(3)),
  'error-node-delete-in-active-reservation': all(repeats('reservations-create-two'), waits(3)),
  'reservation-get': repeats('reservation-create'),
  'reservation-update': repeats('reservation-create'),
  reservations: all(repeats('reservation-create'), repeats('reservations-create-two')),
  'reservation-delete': repeats('reservations-create-two'),

  'job-running': job(3, on('worker-1', 2)),
  'job-pending': job(9, runs({ nodeCount: 9 })),
  'job-pending-held': job(6, runs({ hold: true })),
  'job-failed': job(24, on('worker-2', 1, { runMs: 100, exitCode: 3 })),
  'job-node-fail': all(job(8, on('worker-3', 1, { requeue: false })), silent, waits(30)),
  'job-cancelled': all(job(3, on('worker-1', 2)), repeats('job-cancel')),
  'job-cancel': job(3, on('worker-1', 2)),
  'job-cancel-again': all(job(3, on('worker-1', 2)), repeats('job-cancel')),
  jobs: all(on('worker-1', 2), runs({ hold: true }), on('worker-2', 1, { runMs: 50, exitCode: 1 }), second),
  'jobs-state': all(on('worker-1', 2), second),

  'slurm-24.11-node-drain': orders('w24-1', 'DRAIN', 'why'),
  'slurm-24.11-update-resume': orders('w24-1', 'DRAIN', 'why'),
  'slurm-24.11-delete-busy': all(on('w24-1', 1), second),
  'slurm-24.11-job-cancel': job(2, on('w24-1', 1)),
  'slurm-24.11-job-cancel-again': all(job(2, on('w24-1', 1)), repeats('slurm-24.11-job-cancel')),
  'slurm-24.11-nodes-unchanged': nothing,
  'slurm-24.11-jobs-unchanged': nothing,
}

/** Recorded situations that do not come about here, and why. */
export const notCovered: Readonly<Record<string, string>> = {}

/** Answers of which the simulation gives only a part, and why that is enough. */
export const partlyCovered: Readonly<Record<string, string>> = {
  diag: 'counters of the scheduler that nobody reads; those that our client shows are there',
  conf: '190 lines of slurm.conf that do nothing here; those that our client reads are there',
}
