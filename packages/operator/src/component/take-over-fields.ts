/**
 * Another operator of the same API has made objects that are now ours, with plain writes. The API server remembers it as
 * the one who set their fields, and server-side apply takes away only what the applier itself set before. So without
 * more ado nothing that it set would ever go again: a port, a variable, a node selector that the user takes out later.
 *
 * Once an object is ours, what the other one set is noted as set by us. That changes no field. What we do not want then
 * goes with the next apply, and what a workload that was adopted needs to stay the same is applied by us: see
 * `adapt-to-live.ts`.
 *
 * @module
 */
import {
  isFailure,
  type Client,
  type JsonObject,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectKey,
  type Resource,
} from '@slurm-operator/kube'
import {
  lookAgain,
  mergeOwnedFields,
  settled,
  type ChildKind,
  type LiveChild,
  type Outcome,
} from '@slurm-operator/runtime'
import { FIELD_MANAGER, isAppliedByUs, isPlainOwner } from '../world/trim.ts'

/** What taking over needs. */
export interface TakeOver {
  readonly client: Client
  readonly kinds: readonly ChildKind[]
  readonly signal: AbortSignal
}

const LOOK_AGAIN_SECONDS = 1

/** Which object is meant. */
export interface Named {
  readonly kind: string
  readonly metadata: { readonly name?: string; readonly namespace?: string | undefined }
}

/** Take over the fields of all of these that are ours by now. At rest this costs nothing. */
export async function takeOverFields(children: readonly Named[], by: TakeOver): Promise<Outcome> {
  let isNew = false
  for (const child of children) {
    const { name = '', namespace } = child.metadata
    const kind = by.kinds.find(({ resource }) => resource.kind === child.kind)
    const live = kind?.find({ name, namespace })
    if (kind === undefined || live === undefined || !hasFormerWriter(live)) continue
    await takeOver(kind.resource, { name, namespace }, by)
    isNew = true
  }
  return isNew ? lookAgain(LOOK_AGAIN_SECONDS) : settled
}

/** Only what we have applied ourselves at least once: until then a workload counts as somebody else's. */
function hasFormerWriter({ metadata: { managedFields = [] } }: LiveChild): boolean {
  return uniteFields(managedFields) !== undefined
}

async function takeOver(
  resource: Resource<KubeObject>,
  key: ObjectKey,
  { client, signal }: Omit<TakeOver, 'kinds'>,
): Promise<void> {
  const server = client.resource(resource)
  const { uid, resourceVersion, managedFields = [] } = (await server.find(key, { signal }))?.metadata ?? {}
  const united = uniteFields(managedFields)
  if (united === undefined) return
  const body = { metadata: { uid, resourceVersion, managedFields: united } }
  try {
    await server.patch(key, { type: 'merge', body }, { signal, fieldManager: FIELD_MANAGER })
  } catch (error) {
    if (!isFailure(error, 'Conflict', 'NotFound')) throw error // it has changed, so look again
  }
}

/** The entries with those of plain writers added to ours; undefined if there is nothing to add, or nothing to add to. */
export function uniteFields(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] | undefined {
  const ours = entries.find(isAppliedByUs)
  const former = entries.filter((entry) => isPlainOwner(entry) && entry.apiVersion === ours?.apiVersion)
  if (ours === undefined || former.length === 0) return undefined
  const fieldsV1 = [ours, ...former].map((entry) => (entry.fieldsV1 ?? {}) as JsonObject).reduce(mergeOwnedFields)
  return entries
    .filter((entry) => !former.includes(entry))
    .map((entry) => (entry === ours ? { ...ours, fieldsV1 } : entry))
}
