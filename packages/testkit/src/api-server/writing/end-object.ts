import type { ServerCore } from '../core.ts'
import { keyTextOf, mapAt, type ApiObject } from '../objects/api-object.ts'
import { storageOf, type ResourceType } from '../resources/resource-type.ts'

/** Remove an object that is being deleted and that nothing holds any more. True if it is gone. */
export function endIfReady(core: ServerCore, type: ResourceType, object: ApiObject): boolean {
  if (!isReadyToEnd(object, type)) return false
  core.store.remove(storageOf(type), keyTextOf(object.metadata))
  return true
}

function isReadyToEnd({ metadata, ...rest }: ApiObject, { kind, custom }: ResourceType): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = metadata
  if (deletionTimestamp === undefined || finalizers.length > 0) return false
  if (kind === 'Namespace' && custom === undefined) return (mapAt(rest, 'spec')['finalizers'] ?? null) === null
  return deletionGracePeriodSeconds === 0
}
