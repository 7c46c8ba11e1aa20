/**
 * Finds the newest REST version that both sides speak. `ping` is the cheapest path there is, and a version that is not
 * served answers 404 at once, even while slurmctld is away.
 *
 * @module
 */
import { SlurmError } from '../errors.ts'
import { apiVersions, type ApiVersion } from '../model/api-version.ts'
import { mappings } from '../model/mappings.ts'
import type { SlurmPing } from '../model/ping.ts'
import { UnknownPathError } from './exchange.ts'
import { pingRequest } from './ping-request.ts'
import { requestName, type Reply } from './request.ts'

/** What we found out about one slurmrestd. */
export interface Daemon {
  /** The REST version to speak with it. */
  readonly version: ApiVersion
  /** Such as `26.05.5`. */
  readonly release: string
  readonly clusterName: string
  /** The slurmctld daemons as they were when we asked. */
  readonly pings: readonly SlurmPing[]
}

/** Ping under one version. Throws `UnknownPathError` if the daemon does not serve it. */
export type PingUnder = (version: string) => Promise<Reply>

/** Versions only looked for to say what is wrong: those of the next and of past releases. */
const strangeVersions = [
  'v0.0.46',
  'v0.0.47',
  'v0.0.48',
  'v0.0.49',
  'v0.0.41',
  'v0.0.40',
  'v0.0.39',
  'v0.0.38',
] as const

/** Ask from the newest version to the oldest. Throws `SlurmError` with a clear reason if there is none in common. */
export async function negotiate(ping: PingUnder): Promise<Daemon> {
  for (const version of apiVersions.toReversed()) {
    const reply = await pingIfServed(ping, version)
    if (reply) return describeDaemon(reply, version)
  }
  throw await strangerError(ping)
}

/** Whoever answers there speaks no version of ours: nothing that it is asked can succeed. */
export class StrangerError extends SlurmError {}

async function pingIfServed(ping: PingUnder, version: string): Promise<Reply | undefined> {
  try {
    return await ping(version)
  } catch (error) {
    if (error instanceof UnknownPathError) return undefined
    throw error
  }
}

function describeDaemon({ identity, body }: Reply, version: ApiVersion): Daemon {
  return {
    version,
    release: identity?.release ?? '',
    clusterName: identity?.clusterName ?? '',
    pings: mappings[version].pings(body).records,
  }
}

async function strangerError(ping: PingUnder): Promise<SlurmError> {
  const ours = `we speak ${apiVersions[0]} to ${apiVersions.at(-1)} (Slurm 24.11 to 26.05)`
  for (const version of strangeVersions) {
    const reply = await pingIfServed(ping, version)
    if (!reply) continue
    const isNewer = version > (apiVersions.at(-1) ?? '')
    const what = `this slurmrestd (${reply.identity?.release ?? 'of an unknown release'}) serves ${version}`
    const help = isNewer ? 'Upgrade the operator.' : 'Upgrade Slurm.'
    return new StrangerError(
      'refused',
      requestName(pingRequest),
      `${what}, which is ${isNewer ? 'newer' : 'older'} than all we know; ${ours}. ${help}`,
    )
  }
  const what = 'it serves no REST version that we know, or is not slurmrestd'
  return new StrangerError('refused', requestName(pingRequest), `${what}; ${ours}. Check the URL and the release.`)
}
