import { Fields } from './fields.ts'
import type { SlurmPing } from './ping.ts'
import type { Wire } from './wire.ts'

/** A ping as v0.0.42 to v0.0.44 tell it: `UP` or `DOWN`. */
export function readPing(raw: unknown): SlurmPing {
  return readPingWith(raw, new Fields<Wire['pingWithWord']>(raw, false).text('pinged'))
}

/** A ping as v0.0.45 tells it: in a sentence. */
export function readPingWithStatus(raw: unknown): SlurmPing {
  return readPingWith(raw, new Fields<Wire['pingWithStatus']>(raw, false).text('status'))
}

function readPingWith(raw: unknown, status: string): SlurmPing {
  const fields = new Fields<Wire['ping']>(raw)
  fields.require('responding')
  return {
    hostname: fields.text('hostname'),
    responding: fields.yes('responding'),
    primary: fields.yes('primary'),
    latencyInMicroseconds: fields.forgiving().count('latency'),
    status,
  }
}
