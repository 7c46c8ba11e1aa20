/**
 * Puts the manager together: connection, election, caches, loops, servers.
 *
 * @module
 */
import { hostname } from 'node:os'
import {
  createClientOn,
  createNodeTransport,
  discover,
  eventsEventResource,
  loadSettings,
  systemClock,
  type Client,
  type Clock,
  type Random,
} from '@slurm-operator/kube'
import {
  createLogger,
  createMetrics,
  joinElection,
  logSettingsFrom,
  Manager,
  Recorder,
  SecretValues,
  type Component,
  type FlagValues,
  type Logger,
  type WriteGate,
} from '@slurm-operator/runtime'
import { SlurmRegistry } from '@slurm-operator/slurm'
import { listCaches } from '../world/caches.ts'
import { serviceMonitorResource } from '../world/service-monitor.ts'
import { createWorld, type World } from '../world/world.ts'
import { readClusterDomain } from './cluster-domain.ts'
import { createLoops, type Workers } from './loops.ts'
import type { managerFlags } from './manager-flags.ts'
import { healthServers, metricsServers, profilingServers } from './servers.ts'
import { createAdmissionServer } from './webhook-server.ts'

/** The values of the flags. */
type ManagerSettings = FlagValues<typeof managerFlags>

interface Command {
  readonly values: ManagerSettings
  readonly given: ReadonlySet<string>
}

interface Tools {
  readonly asked: AbortSignal
  readonly useLogger: (log: Logger) => void
}

const LEASE = 'slurm-operator'

/** Run until asked to stop. */
export async function runManager({ values, given }: Command, { asked, useLogger }: Tools) {
  const clock = systemClock
  const random: Random = Math.random
  const secrets = new SecretValues()
  const log = createLogger({ clock, secrets, settings: logSettingsFrom(values, given) })
  useLogger(log)
  const metrics = createMetrics()
  const settings = await loadSettings({ kubeconfig: values.kubeconfig })
  const transport = createNodeTransport(settings, { userAgent: 'slurm-operator' })
  const clientOptions = { onRequest: metrics.onRequest, onWarning: (text: string) => log.warn(text) }
  const open = createClientOn(transport, clientOptions) // for servers, which answer in every replica
  const namespace = values['leader-elect-namespace'] || settings.namespace
  const lease = values['leader-elect'] ? { namespace, name: LEASE } : undefined
  const onChange = metrics.forElection(LEASE)
  const contender = joinElection({ transport, lease, clock, random, log, clientOptions, onChange })
  const { client, gate, election } = contender
  const recorder = createRecorder({ client, clock, random, log, secrets })
  const world = await createManagerWorld({ client, clock, random, log, recorder, values, gate, secrets })
  const loops = createLoops(world, workersOf(values), metrics)
  const admission = values.webhook ? createAdmissionServer(values, { client: open, clock, log, metrics }) : undefined
  const live = loops.map(({ name, whyUnhealthy }) => ({ name, why: whyUnhealthy }))
  const ready = [{ name: 'caches', why: () => manager.whyNotReady() }, ...(admission ? [admission.check] : [])]
  const manager: Manager = new Manager({
    ...{ clock, log },
    servers: [
      ...healthServers(values['health-addr'], { clock, log }, { live, ready }),
      ...metricsServers(values, { clock, log, metrics, client: open }),
      ...profilingServers(values, { clock, log }),
      ...(admission === undefined ? [] : [admission.component]),
    ],
    caches: [...listCaches(world.caches), ...(world.serviceMonitors ? [world.serviceMonitors] : [])],
    ...(election !== undefined && { election }),
    loops: [connections(world.slurm), recorder, ...loops],
  })
  try {
    return await manager.run(asked)
  } finally {
    transport.close()
  }
}

function createRecorder(parts: {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly secrets: SecretValues
}): Recorder {
  const { client, secrets, ...common } = parts
  const store = client.resource(eventsEventResource)
  return new Recorder({ ...common, store, instance: hostname(), hide: (text) => secrets.hide(text) })
}

async function createManagerWorld(parts: {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly recorder: Recorder
  readonly values: ManagerSettings
  readonly gate: WriteGate
  readonly secrets: SecretValues
}): Promise<World> {
  const { client, clock, random, log, recorder, values, gate, secrets } = parts
  const { namespaces } = values
  return createWorld({
    ...{ client, clock, random, log, gate },
    ...(namespaces.length > 0 && { namespaces }),
    hasServiceMonitors: await hasServiceMonitors(client),
    secretValues: secrets,
    slurm: new SlurmRegistry({ random }),
    eventsAs: (reporter) => recorder.as(reporter),
    clusterDomain: readClusterDomain(),
    propagatedConditions: values['propagated-node-conditions'],
    onTrouble: (cache, error) => log.info(`the watch of ${cache} is tried again`, { error }),
  })
}

async function hasServiceMonitors(client: Client): Promise<boolean> {
  const groups = await discover(client)
  const versions = groups.find(({ group }) => group === serviceMonitorResource.group)?.versions ?? []
  return versions.some(({ resources }) => resources.some(({ plural }) => plural === serviceMonitorResource.plural))
}

/** All connections to Slurm end with the leadership. */
function connections(slurm: SlurmRegistry): Component {
  return {
    name: 'connections to Slurm',
    run: async ({ stop, ready }) => {
      ready()
      await new Promise<void>((resolve) => {
        if (stop.aborted) resolve()
        else stop.addEventListener('abort', () => resolve(), { once: true })
      })
      await slurm.close()
    },
  }
}

function workersOf(values: ManagerSettings): Workers {
  return {
    controller: values['controller-workers'],
    accounting: values['accounting-workers'],
    restapi: values['restapi-workers'],
    loginset: values['loginset-workers'],
    token: values['token-workers'],
    nodeset: values['nodeset-workers'],
    slurmclient: values['slurmclient-workers'],
  }
}
