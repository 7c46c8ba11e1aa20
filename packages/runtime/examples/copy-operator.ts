/**
 * A whole operator: every ConfigMap with the annotation `example.dev/copy-to` gets a copy of that name, which it owns.
 *
 * @module
 */
import { buildControllerReference, configMapResource, equalJson } from '@slurm-operator/kube'
import {
  Cache,
  foldingWriter,
  forObjects,
  Loop,
  ownedBy,
  runOperator,
  settled,
  withoutManagedFields,
  type Reconcile,
} from '@slurm-operator/runtime'

const ANNOTATION = 'example.dev/copy-to'
const [namespace = 'default'] = process.argv.slice(2)

await runOperator({ name: 'copy-operator', namespace }, ({ client, ...tools }) => {
  const reader = client.resource(configMapResource)
  const cache = new Cache({ name: 'configmaps', reader, namespaces: [namespace], keep: withoutManagedFields, ...tools })
  const writer = foldingWriter(reader, cache)

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
  return { caches: [cache], loops: [new Loop({ name: 'copy', reconcile, sources, ...tools })] }
})
