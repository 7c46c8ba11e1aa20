import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/** A name that no other process has, not even this container after a restart: who slept must not mistake it for itself. */
export function createIdentity(host: string = hostname(), unique: string = randomUUID()): string {
  return `${host}_${unique}`
}
