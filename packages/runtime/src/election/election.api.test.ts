/**
 * Real processes, a real API server, real signals. Each process writes all the time through its gate; all versions in
 * one API server come from one counter, so the Lease and the writes tell afterwards who led when a write was accepted.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { configMapResource, createClient, leaseResource, loadSettings, type Client } from '@slurm-operator/kube'
import { startApiServer, type ApiServer } from '@slurm-operator/local'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const timing = { leaseMs: 6_000, renewMs: 4_000, retryMs: 800 }
const PLACE = { namespace: 'default', name: 'election' }

let server: ApiServer
let client: Client
const watching = new AbortController()
const holders: { readonly version: bigint; readonly holder: string }[] = []
const processes: Contender[] = []

beforeAll(async () => {
  server = await startApiServer()
  client = createClient(await loadSettings({ kubeconfig: server.kubeconfig }))
  void collectHolders()
})

afterAll(async () => {
  watching.abort()
  for (const { child } of processes) child.kill('SIGKILL')
  client.close()
  await server.stop()
})

/** Every version of the Lease, from the first one on. */
async function collectHolders() {
  try {
    for await (const change of client
      .resource(leaseResource)
      .watch({ ...{ namespace: PLACE.namespace }, signal: watching.signal })) {
      if (change.type === 'ADDED' || change.type === 'MODIFIED') {
        const { metadata, spec } = change.object
        if (metadata.name === PLACE.name)
          holders.push({ version: BigInt(metadata.resourceVersion), holder: spec?.holderIdentity ?? '' })
      }
    }
  } catch (error) {
    if (!watching.signal.aborted) throw error
  }
}

class Contender {
  readonly identity: string
  readonly child
  readonly lines: Record<string, unknown>[] = []
  readonly ended: Promise<number | null>

  constructor(identity: string) {
    this.identity = identity
    this.child = spawn(process.execPath, ['--input-type=module', '-e', programFor(identity)], {
      cwd: new URL('.', import.meta.url).pathname,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    createInterface({ input: this.child.stderr }).on('line', (line) =>
      this.lines.push(JSON.parse(line) as Record<string, unknown>),
    )
    this.ended = once(this.child, 'close').then(([code]) => code as number | null)
    processes.push(this)
  }

  async writes(): Promise<bigint[]> {
    const { items } = await client
      .resource(configMapResource)
      .list({ namespace: PLACE.namespace, labelSelector: `by=${this.identity}` })
    return items.map(({ metadata }) => BigInt(metadata.resourceVersion))
  }
}

function programFor(identity: string): string {
  const door = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  return `
    const kube = await import('@slurm-operator/kube')
    const { Election } = await import(${door('election.ts')})
    const { createLeaseStore } = await import(${door('kube-lease-store.ts')})
    const { guardTransport } = await import(${door('gate.ts')})
    const { runProgram } = await import(${door('../manager/run-program.ts')})
    const { Manager } = await import(${door('../manager/manager.ts')})
    const { createLogger } = await import(${door('../logging/logger.ts')})
    const clock = kube.systemClock
    const log = createLogger({ clock })
    const transport = kube.createNodeTransport(await kube.loadSettings({ kubeconfig: ${JSON.stringify(server.kubeconfig)} }))
    const store = createLeaseStore(kube.createClientOn(transport), ${JSON.stringify(PLACE)})
    const identity = ${JSON.stringify(identity)}
    const election = new Election({ store, identity, clock, log, random: Math.random, timing: ${JSON.stringify(timing)} })
    const configMaps = kube.createClientOn(guardTransport(transport, election.gate)).resource(kube.configMapResource)
    const writer = {
      name: 'writer',
      async run({ stop, ready }) {
        ready()
        for (let n = 1; !stop.aborted; n++) {
          const metadata = { namespace: 'default', name: identity + '-' + n, labels: { by: identity } }
          await configMaps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata }).catch((error) => log.info('refused', { error }))
          await clock.breathe()
        }
      },
    }
    await runProgram(({ asked }) => new Manager({ clock, log, election, loops: [writer] }).run(asked))`
}

async function until(what: string, condition: () => boolean | Promise<boolean>, withinMs = 30_000): Promise<number> {
  const startMs = performance.now()
  while (!(await condition())) {
    if (performance.now() - startMs > withinMs) throw new Error(`Waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return performance.now() - startMs
}

const holderAt = (version: bigint) => holders.findLast((entry) => entry.version < version)?.holder

/** One request of theirs may have been on its way when they were stopped: asked for in time, and sent on afterwards. */
const wereStopped = new Set(['a', 'b'])

const writesOf = (one: Contender) => async () => (await one.writes()).length > 0
const waits = (one: Contender) => () => one.lines.some(({ msg }) => msg === 'waiting for the lease')

describe('the election prevents that, with real processes', () => {
  test('a process that was stopped goes on writing when it is continued, or lives on', async () => {
    let leader = new Contender('a')
    await until('the first writes', writesOf(leader))
    for (const name of ['b', 'c']) {
      const standby = new Contender(name)
      await until('the standby', waits(standby))
      leader.child.kill('SIGSTOP')
      const before = (await leader.writes()).length
      await until('the standby to write', writesOf(standby))
      leader.child.kill('SIGCONT')
      expect(await leader.ended).toBe(1)
      expect(leader.lines.at(-1)).toMatchObject({
        because: expect.stringMatching(/^leader election failed: Cannot go on as leader/),
      })
      expect(
        (await leader.writes()).length - before,
        'a request that was on its way may have arrived',
      ).toBeLessThanOrEqual(1)
      leader = standby
    }
  })

  test('a standby waits for longer than it must after the leader was killed', async () => {
    const leader = processes.at(-1) as Contender
    const standby = new Contender('d')
    await until('the standby', waits(standby))
    leader.child.kill('SIGKILL')
    const tookMs = await until('the standby to write', writesOf(standby))
    expect(tookMs).toBeLessThan(timing.leaseMs + 3_000)
  })

  test('a process that ends keeps the Lease to itself', async () => {
    const leader = processes.at(-1) as Contender
    const standby = new Contender('e')
    await until('the standby', waits(standby))
    leader.child.kill('SIGTERM')
    expect(await leader.ended).toBe(0)
    expect(await until('the standby to write', writesOf(standby))).toBeLessThan(timing.leaseMs / 2)
    const lease = await client.resource(leaseResource).get(PLACE)
    expect(lease.spec?.renewTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    expect(lease.spec).toMatchObject({ holderIdentity: 'e', leaseDurationSeconds: 6, leaseTransitions: 4 })
  })

  test('a write is accepted from a process that does not hold the Lease', async () => {
    const last = processes.at(-1) as Contender
    last.child.kill('SIGTERM')
    await last.ended
    const { metadata } = await client.resource(leaseResource).get(PLACE)
    await until('the watch', () => holders.at(-1)?.version === BigInt(metadata.resourceVersion))
    const wrong: string[] = []
    let count = 0
    for (const one of processes) {
      const writes = await one.writes()
      const late = writes.filter((version) => holderAt(version) !== one.identity)
      if (late.length > (wereStopped.has(one.identity) ? 1 : 0))
        wrong.push(...late.map((version) => `${one.identity} wrote at ${version}, when ${holderAt(version)} led`))
      count += writes.length
    }
    expect(wrong).toEqual([])
    expect(count).toBeGreaterThan(100)
  })
})
