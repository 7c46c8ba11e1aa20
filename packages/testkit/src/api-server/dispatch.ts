import type { ServerCore } from './core.ts'
import { methodNotAllowed, noSuchPath } from './objects/failure.ts'
import type { Call, Reply } from './requests/call.ts'
import { isTrue } from './requests/read-options.ts'
import { bind } from './verbs/bind.ts'
import { create } from './verbs/create.ts'
import { deleteMany, deleteOne } from './verbs/delete.ts'
import { evict } from './verbs/evict.ts'
import { finalize } from './verbs/finalize.ts'
import { get } from './verbs/get.ts'
import { list } from './verbs/list.ts'
import { patch } from './verbs/patch.ts'
import { review } from './verbs/review.ts'
import { scale } from './verbs/scale.ts'
import { update } from './verbs/update.ts'
import { watch } from './verbs/watch.ts'

type Verb = (core: ServerCore, call: Call) => Reply | Promise<Reply>

const object: Readonly<Record<string, Verb>> = { GET: get, PUT: update, PATCH: patch, DELETE: deleteOne }
const collection: Readonly<Record<string, Verb>> = { GET: listOrWatch, POST: create, DELETE: deleteMany }
const status: Readonly<Record<string, Verb>> = { GET: get, PUT: update, PATCH: patch }

/** Which verb a method means at each place below an object. */
const subresources: Readonly<Record<string, Readonly<Record<string, Verb>>>> = {
  status,
  scale: { GET: scale, PUT: scale, PATCH: scale },
  binding: { POST: bind },
  eviction: { POST: evict },
  finalize: { PUT: finalize },
}

/** Find the verb that a call means, and do it. */
export async function dispatch(core: ServerCore, call: Call): Promise<Reply> {
  const { type, name, subresource, method } = call
  if (type.isReview) {
    if (method !== 'POST' || name !== undefined) throw methodNotAllowed()
    return review(core.reviews, call)
  }
  if (subresource !== undefined && !type.subresources.includes(subresource)) throw noSuchPath()
  const verbs = subresource !== undefined ? (subresources[subresource] ?? {}) : name === undefined ? collection : object
  const verb = verbs[method]
  if (verb === undefined || (name === undefined && type.namespaced && call.namespace === undefined && method !== 'GET'))
    throw methodNotAllowed()
  return verb(core, call)
}

function listOrWatch(core: ServerCore, call: Call): Reply {
  return isTrue(call.query.get('watch')) ? watch(core, call) : list(core, call)
}
