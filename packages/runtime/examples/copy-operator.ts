/**
 * A whole operator: every ConfigMap with the annotation `example.dev/copy-to` gets a copy of that name, which it owns.
 *
 * @module
 */
import {
  buildControllerReference,
  configMapResource,
  createClientOn,
  createNodeTransport,
  equalJson,
  loadSettings,
  systemClock,
} from '@slurm-operator/kube'
import {
  Cache,
  createIdentity,
  createLeaseStore,
  createLogger,
  Election,
  foldingWriter,
  forObjects,
  guardTransport,
  Loop,
  Manager,
  ownedBy,
  runProgram,
  settled,
  withoutManagedFields,
  type Reconcile,
} from '@slurm-operator/runtime'

const ANNOTATION = 'example.dev/copy-to'
const [namespace = 'default'] = process.argv.slice(2)

await runProgram(async ({ asked, useLogger }) => {
  const [clock, random] = [systemClock, Math.random]
  const log = createLogger({ clock })
  useLogger(log)
  const transport = createNodeTransport(await loadSettings())
  const store = createLeaseStore(createClientOn(transport), { namespace, name: 'copy-operator' })
  const election = new Election({ store, identity: createIdentity(), clock, random, log })
  const configMaps = createClientOn(guardTransport(transport, election.gate)).resource(configMapResource)

  const cache = new Cache({
    name: 'configmaps',
    reader: configMaps,
    namespaces: [namespace],
    keep: withoutManagedFields,
    clock,
    random,
  })
  const writer = foldingWriter(configMaps, cache)

  const reconcile: Reconcile = async (key, pass) => {
    const original = cache.get(key)
    const name = original?.metadata.annotations?.[ANNOTATION]
    if (original === undefined || name === undefined) return settled
    const copy = cache.get({ namespace, name })
    if (copy !== undefined && equalJson(copy.data ?? {}, original.data ?? {})) return settled
    const metadata = { namespace, name, ownerReferences: [buildControllerReference(original)] }
    const wanted = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: original.data ?? {} } as const
    await writer.apply(wanted, { fieldManager: 'copy-operator', force: true, signal: pass.signal })
    pass.log.info('copied', { to: name })
    return settled
  }

  const sources = [forObjects(cache), ownedBy(cache, { group: '', kind: 'ConfigMap' })]
  const loop = new Loop({ name: 'copy', reconcile, sources, clock, random, log })
  return new Manager({ clock, log, caches: [cache], election, loops: [loop] }).run(asked)
})
