import { killBox, runIn, type Box, type BoxPlace } from '../box/box.ts'
import { killDaemon, lastLines, whyEnded, type Daemon } from '../machine/daemon.ts'
import type { RunResult } from '../machine/run.ts'
import { untilTrue } from '../machine/until.ts'
import { startRelay } from '../relay/start-relay.ts'
import { applyBase, startAddons } from './addons.ts'
import { startControlPlane, startKubeApiServer, type ControlPlane, type ControlPlaneSettings } from './control-plane.ts'
import type { Kubectl } from './kubectl.ts'
import { DNS_SERVICE_ADDRESS, FIRST_NODE, nodeName } from './layout.ts'
import { importImages, startNodeBox, startNodePrograms, type NodeOptions, type NodeSurroundings } from './node.ts'

const READY_TIMEOUT_MS = 180_000

/** The machines of a cluster: which there are, and what can happen to them. */
export class Nodes {
  readonly #surroundings: NodeSurroundings
  readonly #settings: ControlPlaneSettings
  readonly #kubectl: Kubectl
  readonly #options = new Map<string, NodeOptions>()
  readonly #boxes = new Map<string, Box>()
  #controlPlane: ControlPlane | undefined
  #relay: Daemon | undefined

  constructor(surroundings: NodeSurroundings, settings: ControlPlaneSettings, kubectl: Kubectl) {
    this.#surroundings = surroundings
    this.#settings = settings
    this.#kubectl = kubectl
  }

  names(): string[] {
    return [...this.#options.keys()]
  }

  /** The first boot of a cluster: all nodes at once, the control plane in the first. */
  async bootAll(options: readonly NodeOptions[]): Promise<void> {
    options.forEach((option, index) => this.#options.set(nodeName(index + 1), option))
    await this.#powerOn(FIRST_NODE)
    const rest = Promise.all([
      this.#startPrograms(FIRST_NODE),
      ...this.names()
        .slice(1)
        .map((name) => this.#boot(name)),
    ])
    await Promise.all([rest, this.#startCluster()])
    await Promise.all(this.names().map((name) => this.#untilReady(name)))
  }

  async add(options: NodeOptions): Promise<string> {
    const name = nodeName(this.#options.size + 1)
    this.#options.set(name, options)
    await this.#boot(name)
    await this.#untilReady(name)
    return name
  }

  async kill(name: string): Promise<void> {
    const box = this.box(name)
    if (name === FIRST_NODE && this.#relay !== undefined) await this.#stopRelay(this.#relay)
    await killBox(this.#surroundings.run, box)
    this.#boxes.delete(name)
  }

  async restart(name: string): Promise<void> {
    if (!this.#options.has(name)) throw new Error(`Cannot restart ${name}: the cluster has ${this.names().join(', ')}`)
    if (this.#boxes.has(name)) await this.kill(name)
    await this.#powerOn(name)
    const isFirst = name === FIRST_NODE
    await Promise.all([this.#startPrograms(name), ...(isFirst ? [this.#startCluster()] : [])])
    await this.#untilReady(name)
  }

  async killApiServer(): Promise<void> {
    if (this.#controlPlane === undefined) throw new Error('Cannot kill the API server: it was never started')
    const [inside] = await this.#pidsOf('kube-apiserver')
    await this.runIn(FIRST_NODE, ['kill', '-9', String(inside)])
    await killDaemon(this.#controlPlane['kube-apiserver'])
  }

  async startApiServer(): Promise<void> {
    const daemon = await startKubeApiServer(this.#surroundings.run, this.box(FIRST_NODE), this.#settings)
    if (this.#controlPlane !== undefined) this.#controlPlane = { ...this.#controlPlane, 'kube-apiserver': daemon }
    await this.#untilApiReady(daemon)
  }

  /** Where each node is, for those who did not start it. */
  places(): BoxPlace[] {
    return [...this.#boxes.values()].map(({ name, folder, pid }) => ({ name, folder, pid }))
  }

  async importImages(archive: string): Promise<void> {
    for (const box of this.#boxes.values()) await importImages(box, archive)
  }

  async runIn(name: string, command: readonly string[], timeoutMs = 60_000): Promise<RunResult> {
    return runIn(this.box(name), command, { timeoutMs })
  }

  /** The running box of a node. */
  box(name: string): Box {
    const box = this.#boxes.get(name)
    if (box === undefined)
      throw new Error(`Cannot reach node ${name}: running are ${[...this.#boxes.keys()].join(', ') || 'none'}`)
    return box
  }

  async #boot(name: string): Promise<void> {
    await this.#powerOn(name)
    await this.#startPrograms(name)
  }

  async #powerOn(name: string): Promise<void> {
    this.#boxes.set(name, await startNodeBox(this.#surroundings, name, this.#options.get(name) ?? {}))
    if (name === FIRST_NODE)
      this.#relay = await startRelay(this.#surroundings.run, this.box(name).pid, DNS_SERVICE_ADDRESS)
  }

  async #startPrograms(name: string): Promise<void> {
    await startNodePrograms(this.#surroundings.run, this.box(name), this.#options.get(name) ?? {})
  }

  /** The control plane, and then what needs it. */
  async #startCluster(): Promise<void> {
    const box = this.box(FIRST_NODE)
    this.#controlPlane = await startControlPlane(this.#surroundings.run, box, this.#settings)
    await this.#untilApiReady(this.#controlPlane['kube-apiserver'])
    await applyBase(this.#kubectl)
    await startAddons(this.#surroundings.run, box)
    await untilTrue('cluster DNS to answer', () => this.#dnsAnswers(box), { timeoutMs: 60_000 })
  }

  async #untilApiReady(daemon: Daemon): Promise<void> {
    const isReady = async () => (await this.#kubectl(['get', '--raw', '/readyz'], { timeoutMs: 5_000 })) === 'ok'
    await untilTrue('the API server to get ready', isReady, {
      timeoutMs: READY_TIMEOUT_MS,
      giveUpWhen: () => whyEnded(daemon),
    })
  }

  async #untilReady(name: string): Promise<void> {
    const isReady = async () =>
      /^\S+\s+Ready\b/.test(await this.#kubectl(['get', 'node', name, '--no-headers'], { timeoutMs: 10_000 }))
    try {
      await untilTrue(`node ${name} to be Ready`, isReady, { timeoutMs: READY_TIMEOUT_MS, everyMs: 200 })
    } catch (cause) {
      const log = `${this.box(name).folder}/log/kubelet.log`
      throw new Error(`Cannot bring up node ${name}: it did not get Ready. The end of ${log}:\n${lastLines(log, 8)}`, {
        cause,
      })
    }
  }

  async #dnsAnswers(box: Box): Promise<boolean> {
    const { stdout } = await runIn(box, ['busybox', 'wget', '-qO-', 'http://127.0.0.1:8181/ready'], {
      timeoutMs: 5_000,
    })
    return stdout.trim() === 'OK'
  }

  async #pidsOf(program: string): Promise<number[]> {
    const { stdout } = await this.runIn(FIRST_NODE, ['pidof', program])
    return stdout.trim().split(' ').map(Number)
  }

  async #stopRelay(relay: Daemon): Promise<void> {
    await killDaemon(relay)
    this.#surroundings.run.forget(relay)
  }
}
