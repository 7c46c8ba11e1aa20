import type { ServerCore } from '../core.ts'
import { keyTextOf, type ApiObject } from '../objects/api-object.ts'
import { plainDelete } from '../requests/read-delete-options.ts'
import type { ResourceType } from '../resources/resource-type.ts'
import { deleteObject } from '../writing/delete-object.ts'

/** Empty the namespaces that are being deleted, and let those go that are empty. */
export function finishNamespaces(
  core: ServerCore,
  objects: () => readonly { readonly type: ResourceType; readonly object: ApiObject }[],
): void {
  const leaving = core.store.list('/namespaces').filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
  const all = leaving.length === 0 ? [] : objects()
  for (const namespace of leaving) {
    const content = all.filter(({ object }) => object.metadata.namespace === namespace.metadata.name)
    for (const { type, object } of content) {
      if (object.metadata.deletionTimestamp === undefined)
        deleteObject(core, type, object, { ...plainDelete, propagation: 'Background' })
    }
    if (content.length === 0) core.store.remove('/namespaces', keyTextOf(namespace.metadata))
  }
}
