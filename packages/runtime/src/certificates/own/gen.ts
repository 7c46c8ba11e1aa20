import { applyJsonPatch, type Clock, type JsonPatch } from '@slurm-operator/kube'
import type { BundleTarget } from './bundle-patch.ts'
import type { PassOptions } from './keeper-pass.ts'
import type { BundleStore, SecretStore, SecretChange, StoredSecret } from './stores.ts'

/** A clock that stands still until it is set; what is scheduled runs when its time has come. */
export class SetClock implements Clock {
  #nowMs: number
  #timers: { readonly atMs: number; readonly delayMs: number; readonly action: () => void }[] = []

  constructor(nowMs: number) {
    this.#nowMs = nowMs
  }

  readonly now = (): number => this.#nowMs
  readonly monotonic = (): number => this.#nowMs
  readonly breathe = async (): Promise<void> => {}

  readonly schedule = (delayMs: number, action: () => void): (() => void) => {
    const timer = { atMs: this.#nowMs + delayMs, delayMs, action }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** Go on to a moment, ring what is due. */
  set(nowMs: number): void {
    this.#nowMs = nowMs
    const due = this.#timers.filter(({ atMs }) => atMs <= nowMs)
    this.#timers = this.#timers.filter(({ atMs }) => atMs > nowMs)
    for (const { action } of due) action()
  }

  /** The delays of all that are waiting. */
  get waiting(): number[] {
    return this.#timers.map(({ delayMs }) => delayMs)
  }
}

/** A Secret in memory with the API server's rule for concurrent writers. */
export class MemorySecret implements SecretStore {
  stored: StoredSecret | undefined
  writes = 0
  #version = 0

  readonly read = async (): Promise<StoredSecret | undefined> => this.stored

  readonly write = async ({ resourceVersion, data }: SecretChange): Promise<'written' | 'conflict'> => {
    if (resourceVersion !== this.stored?.resourceVersion) return 'conflict'
    const changed = Object.entries({ ...this.stored?.data, ...data })
    this.put(Object.fromEntries(changed.flatMap(([name, text]) => (text === null ? [] : [[name, text]]))))
    this.writes++
    return 'written'
  }

  /** Somebody writes into it, whatever was there. */
  put(data: Readonly<Record<string, string>>, annotations: Readonly<Record<string, string>> = {}): void {
    this.stored = { ...this.stored, data, annotations, resourceVersion: String(++this.#version) }
  }

  /** An entry as text. */
  text(entry: string): string {
    return Buffer.from(this.stored?.data[entry] ?? '', 'base64').toString()
  }
}

type Configuration = { webhooks: { name: string; clientConfig: { caBundle?: string } }[] }

/** Webhook configurations in memory. */
export class MemoryBundles implements BundleStore {
  readonly expected: number
  patches = 0
  readonly configurations = new Map<string, Configuration>()

  constructor(expected: number) {
    this.expected = expected
  }

  /** Somebody installs a configuration. */
  install(name: string, ...webhooks: readonly string[]): void {
    this.configurations.set(name, { webhooks: webhooks.map((webhook) => ({ name: webhook, clientConfig: {} })) })
  }

  /** What all webhooks of all configurations trust. */
  trusted(): (string | undefined)[] {
    const all = [...this.configurations.values()].flatMap(({ webhooks }) => webhooks)
    return all.map(({ clientConfig: { caBundle } }) => caBundle && Buffer.from(caBundle, 'base64').toString())
  }

  readonly read = async (): Promise<BundleTarget[]> =>
    [...this.configurations].map(([name, { webhooks }]) => ({
      kind: 'ValidatingWebhookConfiguration',
      name,
      webhooks: webhooks.map(({ name, clientConfig }) => ({ name, ...clientConfig })),
    }))

  readonly patch = async ({ name }: BundleTarget, patch: JsonPatch): Promise<'written' | 'conflict'> => {
    const configuration = this.configurations.get(name)
    if (configuration === undefined) return 'conflict'
    try {
      this.configurations.set(name, applyJsonPatch(configuration, patch) as Configuration)
    } catch {
      return 'conflict' // as the API server does when a test in the patch fails
    }
    this.patches++
    return 'written'
  }
}

/** What every pass in tests starts from. */
export function passOptions(secrets: SecretStore, clock: Clock): PassOptions {
  return { secrets, clock, names: ['hook.ns.svc'], commonName: 'hook' }
}
