import type { JsonObject } from '@slurm-operator/kube'
import { apiVersionOf, type ResourceType } from '../resources/resource-type.ts'
import { mapAt, type ApiObject, type DraftObject } from '../objects/api-object.ts'
import { ApiFailure } from '../objects/failure.ts'

/** What is being done to an object. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/** The question of an AdmissionReview, without its envelope. */
export interface AdmissionQuestion {
  readonly uid: string
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string }
  readonly subResource?: string
  readonly name: string
  readonly namespace?: string
  readonly operation: Operation
  readonly userInfo: { readonly username: string }
  readonly object: JsonObject | null
  readonly oldObject: JsonObject | null
  readonly dryRun: boolean
}

/** What a handler says. A mutating one gives the changed object; patches are for those who talk over a network. */
export interface AdmissionVerdict {
  readonly isAllowed: boolean
  readonly object?: JsonObject
  readonly message?: string
  readonly code?: number
  readonly reason?: string
  readonly warnings?: readonly string[]
}

/** A webhook in the same process. */
export interface AdmissionHandler {
  /** As in a webhook configuration. */
  readonly name: string
  readonly operations: readonly Operation[]
  /** `nodesets.slinky.slurm.net`, `pods`, `pods/binding`. */
  readonly resources: readonly string[]
  readonly review: (question: AdmissionQuestion) => AdmissionVerdict | Promise<AdmissionVerdict>
}

/** One write that asks for admission. */
export interface Admitted {
  readonly type: ResourceType
  readonly operation: Operation
  readonly subresource: string | undefined
  readonly name: string
  readonly namespace: string | undefined
  readonly object: DraftObject | undefined
  readonly old: ApiObject | undefined
  readonly isDryRun: boolean
  readonly warn: (text: string) => void
}

/** All handlers of a server; mutating ones are asked first, in the order in which they came. */
export class Admission {
  readonly #mutating: AdmissionHandler[] = []
  readonly #validating: AdmissionHandler[] = []
  readonly #newUid: () => string

  constructor(newUid: () => string) {
    this.#newUid = newUid
  }

  /** Add a handler; the answer takes it away. */
  add(kind: 'mutating' | 'validating', handler: AdmissionHandler): () => void {
    const list = kind === 'mutating' ? this.#mutating : this.#validating
    list.push(handler)
    return () => void list.splice(list.indexOf(handler), 1)
  }

  /** Let mutating handlers change the object. */
  async mutate(write: Admitted): Promise<DraftObject | undefined> {
    let object = write.object
    for (const handler of this.#concerned(this.#mutating, write)) {
      const verdict = await this.#ask(handler, { ...write, object })
      if (verdict.object !== undefined) object = { ...verdict.object, metadata: mapAt(verdict.object, 'metadata') }
    }
    return object
  }

  /** Let validating handlers refuse it. */
  async validate(write: Admitted): Promise<void> {
    for (const handler of this.#concerned(this.#validating, write)) await this.#ask(handler, write)
  }

  #concerned(handlers: readonly AdmissionHandler[], { type, subresource, operation }: Admitted): AdmissionHandler[] {
    const plain = type.group === '' ? type.plural : `${type.plural}.${type.group}`
    const resource = subresource === undefined ? plain : `${plain}/${subresource}`
    return handlers.filter(
      ({ operations, resources }) => operations.includes(operation) && resources.includes(resource),
    )
  }

  async #ask(handler: AdmissionHandler, write: Admitted): Promise<AdmissionVerdict> {
    const verdict = await answerOf(handler, questionFor(write, this.#newUid()))
    for (const warning of verdict.warnings ?? []) write.warn(warning)
    if (verdict.isAllowed) return verdict
    const why =
      verdict.message === undefined
        ? 'denied the request without explanation'
        : `denied the request: ${verdict.message}`
    throw new ApiFailure(
      verdict.code ?? 403,
      verdict.reason ?? 'Forbidden',
      `admission webhook "${handler.name}" ${why}`,
    )
  }
}

/** A handler that throws is a webhook that cannot be reached. */
async function answerOf(handler: AdmissionHandler, question: AdmissionQuestion): Promise<AdmissionVerdict> {
  try {
    return await handler.review(question)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown error'
    throw new ApiFailure(
      500,
      'InternalError',
      `Internal error occurred: failed calling webhook "${handler.name}": ${why}`,
    )
  }
}

function questionFor(
  { type, subresource, operation, name, namespace, object, old, isDryRun }: Admitted,
  uid: string,
): AdmissionQuestion {
  const { group, version, kind, plural } = type
  const head = { kind, apiVersion: apiVersionOf(type) }
  return {
    uid,
    kind: { group, version, kind },
    resource: { group, version, resource: plural },
    ...(subresource !== undefined && { subResource: subresource }),
    name,
    ...(namespace !== undefined && { namespace }),
    operation,
    userInfo: { username: 'system:admin' },
    object: object === undefined ? null : { ...head, ...object },
    oldObject: old === undefined ? null : { ...old, ...head },
    dryRun: isDryRun,
  }
}
