import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from '@slurm-operator/kube'
import { textOf, mapAt } from '../objects/api-object.ts'
import { badRequest, causes, invalidOptions, type Cause } from '../objects/failure.ts'
import type { Call } from './call.ts'
import { parse } from './read-body.ts'

/** How an object is to be deleted. */
export interface DeleteOptions {
  readonly isDryRun: boolean
  readonly gracePeriodSeconds: number | undefined
  readonly propagation: 'Background' | 'Foreground' | 'Orphan' | undefined
  readonly uid: string | undefined
  readonly resourceVersion: string | undefined
}

/** Nothing said. */
export const plainDelete: DeleteOptions = {
  ...{
    isDryRun: false,
    gracePeriodSeconds: undefined,
    propagation: undefined,
    uid: undefined,
    resourceVersion: undefined,
  },
}

/** From the body of a delete, or from its query if it has none. */
export function readDeleteOptions({ body = '', query }: Call): DeleteOptions {
  const given = body === '' ? {} : parse(body, (why) => `couldn't get version/kind; json parse error: ${why}`)
  if (!isJsonObject(given)) throw badRequest('the body of a delete must be DeleteOptions')
  if ((given['kind'] ?? 'DeleteOptions') !== 'DeleteOptions') {
    throw badRequest(`no kind "${textOf(given['kind'])}" is registered for version "${textOf(given['apiVersion'])}"`)
  }
  return deleteOptionsFrom({ ...fromQuery(query), ...given })
}

/** The meaning of DeleteOptions as they stand in a body or in an eviction. */
export function deleteOptionsFrom(options: JsonObject): DeleteOptions {
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, dryRun } = options
  const { uid, resourceVersion } = mapAt(options, 'preconditions')
  const wrong = whyInvalid(propagationPolicy, orphanDependents, dryRun)
  if (wrong.length > 0) throw invalidOptions('DeleteOptions', wrong)
  const policy =
    orphanDependents === undefined ? propagationPolicy : orphanDependents === true ? 'Orphan' : 'Background'
  return {
    isDryRun: isJsonList(dryRun) && dryRun.length > 0,
    gracePeriodSeconds: typeof gracePeriodSeconds === 'number' ? gracePeriodSeconds : undefined,
    propagation: policy as DeleteOptions['propagation'],
    uid: typeof uid === 'string' ? uid : undefined,
    resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : undefined,
  }
}

function fromQuery(query: URLSearchParams): JsonObject {
  const grace = query.get('gracePeriodSeconds')
  const policy = query.get('propagationPolicy')
  return {
    ...(grace !== null && { gracePeriodSeconds: Number(grace) }),
    ...(policy !== null && { propagationPolicy: policy }),
    ...(query.has('dryRun') && { dryRun: query.getAll('dryRun') }),
  }
}

const policies = ['Foreground', 'Background', 'Orphan']

function whyInvalid(
  policy: JsonValue | undefined,
  orphan: JsonValue | undefined,
  dryRun: JsonValue | undefined,
): Cause[] {
  return [
    ...(policy !== undefined && orphan !== undefined
      ? [causes.invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set')]
      : []),
    ...(policy === undefined || policies.includes(textOf(policy))
      ? []
      : [causes.unsupported('propagationPolicy', policy, [...policies, 'nil'])]),
    ...(isJsonList(dryRun) && dryRun.some((one) => one !== 'All')
      ? [causes.unsupported('dryRun', dryRun, ['All'])]
      : []),
  ]
}
