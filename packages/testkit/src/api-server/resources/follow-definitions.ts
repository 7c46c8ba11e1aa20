import { type CustomResourceDefinitionSpec, type JsonValue, printTime } from '@slurm-operator/kube'
import type { ServerCore } from '../core.ts'
import { keyTextOf, mapAt, type ApiObject } from '../objects/api-object.ts'
import { plainDelete } from '../requests/read-delete-options.ts'
import { CLEANUP, deleteObject } from '../writing/delete-object.ts'
import { typesOfDefinition } from './custom-types.ts'
import { storageOf } from './resource-type.ts'

const DEFINITIONS = 'apiextensions.k8s.io/customresourcedefinitions'

/** Serve what CRDs define, as soon as they are stored, and stop when they go. */
export function followDefinitions(core: ServerCore): void {
  core.store.listen(({ storage, type, object, key }) => {
    if (storage !== DEFINITIONS) return
    if (type === 'DELETED') core.registry.forget(object.metadata.name)
    else define(core, object)
    if (type === 'ADDED') establish(core, key)
    else if (object.metadata.deletionTimestamp !== undefined) cleanUp(core, object)
  })
}

function define({ registry }: ServerCore, definition: ApiObject): void {
  const spec = definition['spec'] as unknown as CustomResourceDefinitionSpec
  const types = typesOfDefinition({ spec })
  registry.define(definition.metadata.name, types)
}

/** A real server does so some hundred milliseconds later. */
function establish({ store, clock }: ServerCore, key: string): void {
  const definition = store.get(DEFINITIONS, key)
  if (definition === undefined) return
  const condition = (type: string, reason: string, message: string): JsonValue => ({
    ...{ type, status: 'True', lastTransitionTime: printTime(clock.now()), reason, message },
  })
  const conditions = [
    condition('NamesAccepted', 'NoConflicts', 'no conflicts found'),
    condition('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
  ]
  const status = { ...mapAt(definition, 'status'), conditions, acceptedNames: mapAt(definition, 'spec', 'names') }
  store.put(DEFINITIONS, { ...definition, status })
}

/** All objects of the kind go with it; the last one lets it go. */
function cleanUp(core: ServerCore, definition: ApiObject): void {
  const { store, registry } = core
  const [type] = registry.typesOf(definition.metadata.name)
  if (type === undefined || !(definition.metadata.finalizers ?? []).includes(CLEANUP)) return
  for (const object of store.list(storageOf(type))) deleteObject(core, type, object, plainDelete)
  const letGo = () => {
    if (store.list(storageOf(type)).length > 0) return false
    const present = store.get(DEFINITIONS, keyTextOf(definition.metadata))
    const others = (present?.metadata.finalizers ?? []).filter((name) => name !== CLEANUP)
    if (present !== undefined && others.length === 0) store.remove(DEFINITIONS, keyTextOf(definition.metadata))
    return true
  }
  if (letGo()) return
  const stop = store.listen(({ storage, type: change }) => {
    if (storage === storageOf(type) && change === 'DELETED' && letGo()) stop()
  })
}
