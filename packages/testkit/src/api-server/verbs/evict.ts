import {
  isJsonList,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  matchesLabels,
  printTime,
  readLabelSelector,
} from '@slurm-operator/kube'
import type { ServerCore } from '../core.ts'
import { keyTextOf, mapAt, type ApiObject } from '../objects/api-object.ts'
import { ApiFailure, notFound } from '../objects/failure.ts'
import { successReply, type Call, type Reply } from '../requests/call.ts'
import { parse } from '../requests/read-body.ts'
import { deleteOptionsFrom } from '../requests/read-delete-options.ts'
import { storageOf } from '../resources/resource-type.ts'
import { deleteObject } from '../writing/delete-object.ts'

const BUDGETS = 'policy/poddisruptionbudgets'
const REFUSAL = "Cannot evict pod as it would violate the pod's disruption budget."

/** POST to `eviction` of a pod: a delete that asks the disruption budgets first. */
export function evict(core: ServerCore, call: Call): Reply {
  const { type, namespace, name = '' } = call
  const eviction = parse(
    call.body ?? '',
    (why) => `the object provided is unrecognized (must be of type Eviction): ${why}`,
  )
  const options = deleteOptionsFrom(mapAt(eviction, 'deleteOptions'))
  const storage = storageOf(type)
  const pod = core.store.get(storage, keyTextOf({ namespace, name }))
  if (pod === undefined) throw notFound(type, name)
  const budget = mayIgnoreBudgets(pod) ? undefined : findBudget(core, pod)
  const spent = budget === undefined || isTooIllToCount(pod, budget) ? undefined : spend(budget, pod, core)
  if (options.isDryRun) return successReply(undefined, 201)
  if (spent !== undefined) core.store.put(BUDGETS, spent)
  const marked = core.store.put(storage, withDisruptionTarget(pod, core))
  deleteObject(core, type, marked, options)
  return successReply(undefined, 201)
}

/** A pod that does not run yet, or no more, serves nobody. */
function mayIgnoreBudgets(pod: ApiObject): boolean {
  const { phase } = mapAt(pod, 'status')
  return (
    pod.metadata.deletionTimestamp !== undefined || phase === 'Pending' || phase === 'Succeeded' || phase === 'Failed'
  )
}

function findBudget({ store }: ServerCore, { metadata }: ApiObject): ApiObject | undefined {
  const concerned = store.list(BUDGETS).filter((budget) => {
    const selector = readLabelSelector(mapAt(budget, 'spec', 'selector'))
    return budget.metadata.namespace === metadata.namespace && matchesLabels(selector, metadata.labels)
  })
  if (concerned.length > 1)
    throw new ApiFailure(
      500,
      'InternalError',
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    )
  return concerned[0]
}

/** A pod that is not ready may go while enough others are. */
function isTooIllToCount(pod: ApiObject, budget: ApiObject): boolean {
  const { currentHealthy, desiredHealthy } = mapAt(budget, 'status')
  return !isReady(pod) && Number(desiredHealthy) > 0 && Number(currentHealthy) >= Number(desiredHealthy)
}

function isReady(pod: ApiObject): boolean {
  return conditionsOf(pod).some((one) => isJsonObject(one) && one['type'] === 'Ready' && one['status'] === 'True')
}

function spend(budget: ApiObject, pod: ApiObject, { clock }: ServerCore): ApiObject {
  const status = mapAt(budget, 'status')
  const { name, generation = 0 } = budget.metadata
  if (Number(status['observedGeneration'] ?? 0) < generation) {
    throw refuse(`The disruption budget ${name} is still being processed by the server.`, 10)
  }
  const allowed = Number(status['disruptionsAllowed'] ?? 0)
  if (allowed <= 0) {
    throw refuse(
      `The disruption budget ${name} needs ${Number(status['desiredHealthy'])} healthy pods and has ${Number(status['currentHealthy'])} currently`,
    )
  }
  const disruptedPods = { ...mapAt(status, 'disruptedPods'), [pod.metadata.name]: printTime(clock.now()) }
  return { ...budget, status: { ...status, disruptionsAllowed: allowed - 1, disruptedPods } }
}

function refuse(message: string, retryAfterSeconds?: number): ApiFailure {
  const details = {
    causes: [{ reason: 'DisruptionBudget', message }],
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
  return new ApiFailure(429, 'TooManyRequests', REFUSAL, { details })
}

function withDisruptionTarget(pod: ApiObject, { clock }: ServerCore): ApiObject {
  const condition: JsonObject = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: printTime(clock.now()),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  }
  const others = conditionsOf(pod).filter((one) => !isJsonObject(one) || one['type'] !== 'DisruptionTarget')
  return { ...pod, status: { ...mapAt(pod, 'status'), conditions: [...others, condition] } }
}

function conditionsOf(pod: ApiObject): readonly JsonValue[] {
  const { conditions } = mapAt(pod, 'status')
  return isJsonList(conditions) ? conditions : []
}
