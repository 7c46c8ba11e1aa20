/**
 * All connections of the process: one per Slurm cluster, shared by all loops. Listeners stay when a connection is
 * replaced, because they listen to the registry.
 *
 * @module
 */
import { Listeners } from '../view/listeners.ts'
import { noClientReader, type SlurmReader } from '../view/slurm-view.ts'
import { connect, type ConnectionChange, type ConnectionWorld, type SlurmConnection } from './connection.ts'
import { addressFingerprint, tokenFingerprint, type ConnectionSettings } from './settings.ts'

/** A change and the Slurm cluster it concerns. */
export type RegistryListener = (key: string, change: ConnectionChange) => void

interface Entry {
  readonly connection: SlurmConnection
  readonly address: string
  token: string
}

/** See the module. */
export class SlurmRegistry {
  private readonly world: ConnectionWorld
  private readonly entries = new Map<string, Entry>()
  private readonly listeners: Listeners<Parameters<RegistryListener>>
  private readonly closing = new Set<Promise<void>>()

  constructor(world: ConnectionWorld = {}) {
    this.world = world
    this.listeners = new Listeners(world.onListenerError)
  }

  /** The connection with these settings; the one that is there if they are the same. Cheap enough for every pass. */
  ensure(key: string, settings: ConnectionSettings): SlurmConnection {
    const address = addressFingerprint(settings)
    const token = tokenFingerprint(settings.token)
    const entry = this.entries.get(key)
    if (entry?.address !== address) return this.replace(key, settings, { address, token })
    if (entry.token !== token) {
      entry.token = token
      entry.connection.useTokens(settings.token)
    }
    return entry.connection
  }

  /** The connection, if there is one. */
  find(key: string): SlurmConnection | undefined {
    return this.entries.get(key)?.connection
  }

  /** What is known of a Slurm cluster; without a connection nothing is. */
  reader(key: string): SlurmReader {
    return this.find(key)?.view ?? noClientReader
  }

  /** All Slurm clusters that we are connected to. */
  keys(): string[] {
    return [...this.entries.keys()]
  }

  /** Its owner is gone: close it. */
  remove(key: string): void {
    const entry = this.entries.get(key)
    if (!entry) return
    this.entries.delete(key)
    const closed = entry.connection.close().catch((error: unknown) => this.world.onListenerError?.(error))
    this.closing.add(closed)
    void closed.then(() => this.closing.delete(closed))
  }

  /** Hear of everything in all Slurm clusters. Returns how to stop. */
  subscribe(listener: RegistryListener): () => void {
    return this.listeners.add(listener)
  }

  /** Close all connections and wait until they are closed. */
  async close(): Promise<void> {
    for (const key of this.keys()) this.remove(key)
    await Promise.all(this.closing)
    this.listeners.clear()
  }

  private replace(key: string, settings: ConnectionSettings, fingerprints: Omit<Entry, 'connection'>): SlurmConnection {
    this.remove(key)
    const connection = connect(settings, this.world)
    this.entries.set(key, { ...fingerprints, connection })
    connection.subscribe((change) => this.listeners.tell(key, change))
    return connection
  }
}
