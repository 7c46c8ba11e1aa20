import type { ServerCore } from '../core.ts'
import { type ApiObject, type DraftObject, textOf } from '../objects/api-object.ts'
import { badRequest, causes, invalid } from '../objects/failure.ts'
import { ownAfterUpdate } from '../ownership/update-ownership.ts'
import { documentReply, type Call, type Reply } from '../requests/call.ts'
import { readObject } from '../requests/read-body.ts'
import { readWriteOptions } from '../requests/read-options.ts'
import { shapeFor } from '../requests/shape.ts'
import { updateObject } from '../writing/update-object.ts'
import { writingOf } from './create.ts'

/** Built-in kinds that cannot be overwritten without saying which state is meant; custom kinds never can. */
const conditional: ReadonlySet<string> = new Set([
  ...[
    'Lease',
    'PodDisruptionBudget',
    'CustomResourceDefinition',
    'MutatingWebhookConfiguration',
    'ValidatingWebhookConfiguration',
  ],
])

/** PUT to an object, or to its status. */
export async function update(core: ServerCore, call: Call): Promise<Reply> {
  const shape = shapeFor(call.accept, call.type)
  const options = readWriteOptions(call)
  const draft = readObject(call)
  const writing = writingOf(core, call, options)
  const object = await updateObject(core, call, options, {
    make: (old) => {
      checkAddress(draft, call)
      checkCondition(draft, old, call)
      return { draft }
    },
    own: (old, fitted) => ownAfterUpdate(old, fitted as unknown as ApiObject, writing),
  })
  return documentReply(shape.one(object))
}

/** An object cannot be renamed or moved. */
export function checkAddress({ metadata }: DraftObject, { name, namespace }: Call): void {
  const { name: ownName, namespace: ownNamespace = namespace } = metadata
  if (ownName !== name)
    throw badRequest(`the name of the object (${textOf(ownName)}) does not match the name on the URL (${textOf(name)})`)
  if (ownNamespace !== namespace && ownNamespace !== '') {
    throw badRequest(
      `the namespace of the object (${textOf(ownNamespace)}) does not match the namespace on the URL (${textOf(namespace)})`,
    )
  }
}

function checkCondition({ metadata }: DraftObject, { metadata: { name } }: ApiObject, { type }: Call): void {
  if ((metadata['resourceVersion'] ?? '') !== '') return
  if (type.custom === undefined && !conditional.has(type.kind)) return
  const cause = { ...causes.invalid('metadata.resourceVersion', 0, 'must be specified for an update') }
  throw invalid({ group: type.group, kind: type.plural }, name, [cause])
}
